import fc from "fast-check";
import { AcceleratorType, AcceleratorVendor, GpuSharing, GpuSharingStrategy } from "../../lib/accelerators";

const of = (name: string) => AcceleratorType.of(name);

describe("refusals", () => {
  test.each<[string, GpuSharing, string, string[]]>([
    [
      "one time-slice",
      GpuSharing.timeSlicing({ replicas: 1 }),
      "g6.xlarge",
      [
        "time-slicing replicas must be a whole number from 2 to 250 (the pods that EKS gives a node at most), " +
          "got: 1; for one pod a GPU use GpuSharing.none()",
      ],
    ],
    [
      "too many time-slices",
      GpuSharing.timeSlicing({ replicas: 251 }),
      "g6.xlarge",
      [
        "time-slicing replicas must be a whole number from 2 to 250 (the pods that EKS gives a node at most), " +
          "got: 251; for one pod a GPU use GpuSharing.none()",
      ],
    ],
    [
      "a fraction of a client",
      GpuSharing.mps({ replicas: 2.5 }),
      "g6.xlarge",
      [
        "mps replicas must be a whole number from 2 to 48 (the MPS clients that one GPU takes), got: 2.5; " +
          "for one pod a GPU use GpuSharing.none()",
      ],
    ],
    [
      "more clients than MPS takes",
      GpuSharing.mps({ replicas: 49 }),
      "p5.48xlarge",
      [
        "mps replicas must be a whole number from 2 to 48 (the MPS clients that one GPU takes), got: 49; " +
          "for one pod a GPU use GpuSharing.none()",
      ],
    ],
    [
      "time-slicing of Neuron",
      GpuSharing.timeSlicing({ replicas: 4 }),
      "inf2.xlarge",
      [
        "time-slicing needs NVIDIA GPUs, got: inf2.xlarge with AWS Neuron Inferentia2; " +
          "use GpuSharing.none() and let pods request single cores as aws.amazon.com/neuroncore",
      ],
    ],
    [
      "MPS of AMD",
      GpuSharing.mps({ replicas: 4 }),
      "g4ad.xlarge",
      ["mps needs NVIDIA GPUs, got: g4ad.xlarge with AMD Radeon Pro V520; use GpuSharing.none()"],
    ],
    [
      "MIG of Habana",
      GpuSharing.mig("1g.5gb"),
      "dl1.24xlarge",
      ["mig needs NVIDIA GPUs, got: dl1.24xlarge with Habana Gaudi HL-205; use GpuSharing.none()"],
    ],
    [
      "MIG of a slice of a GPU",
      GpuSharing.mig("1g.5gb"),
      "g6f.xlarge",
      [
        "MIG needs whole GPUs, got: g6f.xlarge, which has a slice of one; " +
          "use GpuSharing.timeSlicing() or a type with whole GPUs",
      ],
    ],
    [
      "MIG of a GPU without MIG",
      GpuSharing.mig("1g.5gb"),
      "g5.xlarge",
      [
        "MIG needs one of the GPUs A100, H100, H200, B200, B300, GB200, RTX PRO Server 6000, " +
          "got: g5.xlarge with A10G; use GpuSharing.timeSlicing() or GpuSharing.mps()",
      ],
    ],
    [
      "MIG of a GPU without a published table",
      GpuSharing.mig("1g.16gb"),
      "g7.2xlarge",
      [
        "MIG profiles of the RTX PRO 4500 are not published, got: g7.2xlarge with profile 1g.16gb; " +
          "use GpuSharing.timeSlicing() or GpuSharing.mps()",
      ],
    ],
    [
      "a profile of another GPU",
      GpuSharing.mig("1g.5gb"),
      "p5.48xlarge",
      [
        "MIG profile must be one of 1g.10gb, 1g.10gb+me, 1g.20gb, 2g.20gb, 3g.40gb, 4g.40gb, 7g.80gb for H100 80GB " +
          "(p5.48xlarge), got: 1g.5gb",
      ],
    ],
    [
      "a profile of the other A100",
      GpuSharing.mig("7g.80gb"),
      "p4d.24xlarge",
      [
        "MIG profile must be one of 1g.5gb, 1g.5gb+me, 1g.10gb, 2g.10gb, 3g.20gb, 4g.20gb, 7g.40gb for A100 40GB " +
          "(p4d.24xlarge), got: 7g.80gb",
      ],
    ],
    [
      "a name that every object has",
      GpuSharing.mig("constructor"),
      "g7e.2xlarge",
      [
        "MIG profile must be one of 1g.24gb, 2g.48gb, 4g.96gb for RTX PRO Server 6000 96GB (g7e.2xlarge), " +
          "got: constructor",
      ],
    ],
    [
      "wrong vendor and wrong count together",
      GpuSharing.timeSlicing({ replicas: 0 }),
      "g4ad.xlarge",
      [
        "time-slicing needs NVIDIA GPUs, got: g4ad.xlarge with AMD Radeon Pro V520; use GpuSharing.none()",
        "time-slicing replicas must be a whole number from 2 to 250 (the pods that EKS gives a node at most), " +
          "got: 0; for one pod a GPU use GpuSharing.none()",
      ],
    ],
  ])("%s", (_, sharing, type, problems) => {
    expect(sharing._problems(of(type))).toEqual(problems);
  });
});

describe("advertised devices", () => {
  test.each<[string, GpuSharing, number]>([
    ["g6.12xlarge", GpuSharing.none(), 4],
    ["g6.12xlarge", GpuSharing.timeSlicing({ replicas: 8 }), 32],
    ["g6.12xlarge", GpuSharing.mps({ replicas: 48 }), 192],
    ["g6f.xlarge", GpuSharing.timeSlicing({ replicas: 2 }), 2],
    ["p4d.24xlarge", GpuSharing.mig("1g.5gb"), 56],
    ["p4de.24xlarge", GpuSharing.mig("1g.10gb"), 56],
    ["p5.4xlarge", GpuSharing.mig("3g.40gb"), 2],
    ["p5en.48xlarge", GpuSharing.mig("2g.35gb"), 24],
    ["p6-b200.48xlarge", GpuSharing.mig("7g.180gb"), 8],
    ["p6-b300.48xlarge", GpuSharing.mig("1g.67gb"), 32],
    ["p6e-gb200.36xlarge", GpuSharing.mig("1g.24gb"), 28],
    ["g7e.24xlarge", GpuSharing.mig("2g.48gb"), 8],
    ["trn2.48xlarge", GpuSharing.none(), 16],
  ])("%s", (name, sharing, count) => {
    expect(sharing._problems(of(name))).toEqual([]);
    expect(sharing._advertisedCount(of(name))).toBe(count);
  });

  test("a profile that the GPU does not have promises none", () => {
    expect(GpuSharing.mig("1g.5gb")._advertisedCount(of("g5.xlarge"))).toBe(0);
  });

  test("are the physical ones times the replicas, for every NVIDIA type and every count that is allowed", () => {
    const nvidia = AcceleratorType.all().filter((type) => type.vendor === AcceleratorVendor.NVIDIA);
    fc.assert(
      fc.property(fc.constantFrom(...nvidia), fc.integer({ min: 2, max: 48 }), (type, replicas) => {
        for (const sharing of [GpuSharing.timeSlicing({ replicas }), GpuSharing.mps({ replicas })]) {
          expect(sharing._problems(type)).toEqual([]);
          expect(sharing._advertisedCount(type)).toBe(type.acceleratorCount * replicas);
        }
      }),
    );
  });
});

test("none is right for every type", () => {
  for (const type of AcceleratorType.all()) {
    expect(GpuSharing.none()._problems(type)).toEqual([]);
    expect(GpuSharing.none()._advertisedCount(type)).toBe(type.acceleratorCount);
  }
});

test("a sharing says what it is", () => {
  expect(GpuSharing.none()).toMatchObject({ strategy: GpuSharingStrategy.NONE, replicas: 1, migProfile: undefined });
  expect(GpuSharing.timeSlicing({ replicas: 4 })).toMatchObject({ strategy: "time-slicing", replicas: 4 });
  expect(GpuSharing.mps({ replicas: 6 })).toMatchObject({ strategy: "mps", replicas: 6 });
  expect(GpuSharing.mig("1g.10gb")).toMatchObject({ strategy: "mig", replicas: 1, migProfile: "1g.10gb" });
});

test("isGpuSharing knows its own and nothing else", () => {
  expect(GpuSharing.isGpuSharing(GpuSharing.none())).toBe(true);
  for (const other of [undefined, null, "none", {}, { strategy: "none", replicas: 1 }]) {
    expect(GpuSharing.isGpuSharing(other)).toBe(false);
  }
});
