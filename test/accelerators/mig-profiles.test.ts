import { AcceleratorType } from "../../lib/accelerators";
import {
  bottlerocketMigKey,
  bottlerocketMigProblem,
  migInstancesPerGpu,
  migProblem,
} from "../../lib/accelerators/mig-profiles";

const of = (name: string) => AcceleratorType.of(name);

/** Profiles of a GPU with the instances of each; a type that has the GPU. */
const TABLE: [string, Record<string, number>][] = [
  [
    "p4d.24xlarge",
    { "1g.5gb": 7, "1g.5gb+me": 1, "1g.10gb": 4, "2g.10gb": 3, "3g.20gb": 2, "4g.20gb": 1, "7g.40gb": 1 },
  ],
  [
    "p4de.24xlarge",
    { "1g.10gb": 7, "1g.10gb+me": 1, "1g.20gb": 4, "2g.20gb": 3, "3g.40gb": 2, "4g.40gb": 1, "7g.80gb": 1 },
  ],
  [
    "p5.48xlarge",
    { "1g.10gb": 7, "1g.10gb+me": 1, "1g.20gb": 4, "2g.20gb": 3, "3g.40gb": 2, "4g.40gb": 1, "7g.80gb": 1 },
  ],
  [
    "p5e.48xlarge",
    { "1g.18gb": 7, "1g.18gb+me": 1, "1g.35gb": 4, "2g.35gb": 3, "3g.71gb": 2, "4g.71gb": 1, "7g.141gb": 1 },
  ],
  [
    "p6-b200.48xlarge",
    { "1g.23gb": 7, "1g.23gb+me": 1, "1g.45gb": 4, "2g.45gb": 3, "3g.90gb": 2, "4g.90gb": 1, "7g.180gb": 1 },
  ],
  ["p6-b300.48xlarge", { "1g.34gb": 7, "1g.67gb": 4, "2g.67gb": 3, "3g.135gb": 2, "4g.135gb": 1, "7g.269gb": 1 }],
  ["p6e-gb200.36xlarge", { "1g.24gb": 7, "1g.47gb": 4, "2g.47gb": 3, "3g.95gb": 2, "4g.95gb": 1, "7g.189gb": 1 }],
  ["g7e.2xlarge", { "1g.24gb": 4, "2g.48gb": 2, "4g.96gb": 1 }],
];

const EVERY_PROFILE = [...new Set(TABLE.flatMap(([, profiles]) => Object.keys(profiles)))];

describe.each(TABLE)("%s", (name, profiles) => {
  test.each(Object.entries(profiles))("holds, of %s, %i a GPU", (profile, instances) => {
    expect(migProblem(of(name), profile)).toBeUndefined();
    expect(migInstancesPerGpu(of(name), profile)).toBe(instances);
  });

  test("has no other profile of the table", () => {
    for (const profile of EVERY_PROFILE.filter((other) => !(other in profiles))) {
      expect(migInstancesPerGpu(of(name), profile)).toBeUndefined();
      expect(migProblem(of(name), profile)).toContain(`got: ${profile}`);
    }
  });
});

test("the instances of a profile never promise more memory than the GPU has", () => {
  // Profile names are rounded up to whole GB, each by less than one.
  for (const [name, profiles] of TABLE.filter(([name]) => of(name).acceleratorMemoryMib > 0)) {
    for (const [profile, instances] of Object.entries(profiles)) {
      const gbEach = Number(/\.([0-9]+)gb/.exec(profile)?.[1]);
      expect((gbEach - 1) * instances).toBeLessThanOrEqual(of(name).acceleratorMemoryMib / 1024);
    }
  }
});

test("exactly the NVIDIA families p4 and later, g7e among the G ones, have a table", () => {
  const families = AcceleratorType.all()
    .filter((type) => EVERY_PROFILE.some((profile) => migInstancesPerGpu(type, profile) !== undefined))
    .map((type) => type.instanceType.split(".")[0]);
  expect([...new Set(families)].sort()).toEqual([
    "g7e",
    "p4d",
    "p4de",
    "p5",
    "p5e",
    "p5en",
    "p6-b200",
    "p6-b300",
    "p6e-gb200",
  ]);
});

test.each([
  ["p4d.24xlarge", "a100.40gb", ["1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "7g.40gb"]],
  ["p4de.24xlarge", "a100.80gb", ["1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "7g.80gb"]],
  ["p5.4xlarge", "h100.80gb", ["1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "7g.80gb"]],
  ["p5en.48xlarge", "h200.141gb", ["1g.18gb", "1g.35gb", "2g.35gb", "3g.71gb", "7g.141gb"]],
  ["p6-b200.48xlarge", "b200.180gb", ["1g.23gb", "1g.45gb", "2g.45gb", "3g.90gb", "7g.180gb"]],
  ["p6-b300.48xlarge", "b300.269gb", ["1g.34gb", "1g.67gb", "2g.67gb", "3g.135gb", "4g.135gb", "7g.269gb"]],
  ["g7e.48xlarge", "rtxpro6000.96gb", ["1g.24gb", "2g.48gb", "4g.96gb"]],
])("Bottlerocket knows %s as %s and partitions it into its own choice of profiles", (name, key, profiles) => {
  expect(bottlerocketMigKey(of(name))).toBe(key);
  const accepted = EVERY_PROFILE.filter(
    (profile) => migProblem(of(name), profile) === undefined && bottlerocketMigProblem(of(name), profile) === undefined,
  );
  expect(accepted.sort()).toEqual([...profiles].sort());
});

test("a profile that Bottlerocket does not accept is refused with those it does", () => {
  expect(bottlerocketMigProblem(of("p4d.24xlarge"), "4g.20gb")).toBe(
    "MIG profile must be one of 1g.5gb, 1g.10gb, 2g.10gb, 3g.20gb, 7g.40gb on Bottlerocket for A100 40GB " +
      "(p4d.24xlarge), got: 4g.20gb; use one of those or NodeImage.al2023Nvidia()",
  );
});

test("a GPU that Bottlerocket has no MIG setting for is refused", () => {
  expect(bottlerocketMigKey(of("p6e-gb200.36xlarge"))).toBeUndefined();
  expect(bottlerocketMigProblem(of("p6e-gb200.36xlarge"), "1g.24gb")).toBe(
    "Bottlerocket has no MIG setting for GB200 189GB, got: p6e-gb200.36xlarge with profile 1g.24gb; " +
      "use NodeImage.al2023Nvidia()",
  );
});

test("a GPU without MIG has no Bottlerocket key, and only the MIG check speaks of it", () => {
  expect(bottlerocketMigKey(of("g5.xlarge"))).toBeUndefined();
  expect(bottlerocketMigProblem(of("g5.xlarge"), "1g.5gb")).toBeUndefined();
});
