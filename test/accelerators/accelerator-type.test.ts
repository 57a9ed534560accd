import fc from "fast-check";
import { AcceleratorType } from "../../lib/accelerators";

const names = AcceleratorType.all().map((type) => type.instanceType);

test.each([undefined, null, 3])("%p is no name, and like none", (name: any) => {
  expect(AcceleratorType.find(name)).toBeUndefined();
  expect(AcceleratorType.nearest(name)).toEqual([]);
  expect(() => AcceleratorType.of(name)).toThrow(
    new Error(
      `instance type must be an accelerated EC2 type of the catalogue, got: ${name}; ` +
        "for a type the catalogue lacks supply its facts with AcceleratorType.custom({ ... })",
    ),
  );
});

describe("a name that the catalogue lacks", () => {
  test.each([
    [
      "g5.12large",
      "instance type must be an accelerated EC2 type of the catalogue, got: g5.12large; nearest names: g5.12xlarge, " +
        "g5.xlarge, g5.2xlarge; for a type the catalogue lacks supply its facts with AcceleratorType.custom({ ... })",
    ],
    [
      "P5.48XLARGE",
      "instance type must be an accelerated EC2 type of the catalogue, got: P5.48XLARGE; nearest names: p5.48xlarge, " +
        "p5.4xlarge, g5.48xlarge; for a type the catalogue lacks supply its facts with AcceleratorType.custom({ ... })",
    ],
    [
      "g5.xlarge.large",
      "instance type must be an accelerated EC2 type of the catalogue, got: g5.xlarge.large; " +
        "for a type the catalogue lacks supply its facts with AcceleratorType.custom({ ... })",
    ],
    [
      "",
      "instance type must be an accelerated EC2 type of the catalogue, got: ; " +
        "for a type the catalogue lacks supply its facts with AcceleratorType.custom({ ... })",
    ],
  ])("is refused with the nearest names: %s", (name, message) => {
    expect(AcceleratorType.find(name)).toBeUndefined();
    expect(() => AcceleratorType.of(name)).toThrow(new Error(message));
  });

  test("finds its own family first among names that are equally near", () => {
    expect(AcceleratorType.nearest("p5.24xlarge")).toEqual(["p5.4xlarge", "g5.24xlarge", "p5.48xlarge"]);
  });

  test("suggests nothing where nothing is alike", () => {
    expect(AcceleratorType.nearest("banana")).toEqual([]);
  });
});

test("one wrong letter anywhere still finds the name that was meant", () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(), fc.constantFrom("q", "z", "_"), (name, at, letter) => {
      const position = at % name.length;
      const misspelt = name.slice(0, position) + letter + name.slice(position + 1);
      fc.pre(!names.includes(misspelt));
      const nearest = AcceleratorType.nearest(misspelt);
      const oneAway = names.filter((other) => differByOneLetter(other, misspelt));
      expect(nearest).toHaveLength(Math.min(3, Math.max(nearest.length, oneAway.length)));
      // More names than there is room for may be one letter away; no other name may take the room of one that is.
      expect(nearest.slice(0, oneAway.length).every((found) => oneAway.includes(found))).toBe(true);
      expect(oneAway.length > 3 || nearest.includes(name)).toBe(true);
    }),
  );
});

function differByOneLetter(one: string, other: string): boolean {
  const [short, long] = [one, other].sort((a, b) => a.length - b.length);
  if (short.length === long.length) {
    return [...short].filter((letter, index) => letter !== long[index]).length === 1;
  }
  return (
    long.length - short.length === 1 &&
    [...long].some((_, index) => long.slice(0, index) + long.slice(index + 1) === short)
  );
}

test("isAcceleratorType knows its own and nothing else", () => {
  expect(AcceleratorType.isAcceleratorType(AcceleratorType.of("g5.xlarge"))).toBe(true);
  for (const other of [undefined, null, "g5.xlarge", 1, {}, { ...AcceleratorType.of("g5.xlarge") }]) {
    expect(AcceleratorType.isAcceleratorType(other)).toBe(false);
  }
});

describe("shape", () => {
  test.each([
    ["g5.xlarge", "g5g.xlarge", "g5.xlarge is x86_64, g5g.xlarge is arm64"],
    ["g5.xlarge", "g6.xlarge", "g5.xlarge has NVIDIA A10G, g6.xlarge has NVIDIA L4"],
    ["g4ad.xlarge", "g4dn.xlarge", "g4ad.xlarge has AMD Radeon Pro V520, g4dn.xlarge has NVIDIA T4"],
    ["g5.xlarge", "g5.12xlarge", "g5.xlarge has 1 accelerator, g5.12xlarge has 4 accelerators"],
    [
      "p4d.24xlarge",
      "p4de.24xlarge",
      "p4d.24xlarge has 40960 MiB per accelerator, p4de.24xlarge has 81920 MiB per accelerator",
    ],
    [
      "g6.4xlarge",
      "g6f.4xlarge",
      "g6.4xlarge has 22888 MiB per accelerator, g6f.4xlarge has 11444 MiB per accelerator",
    ],
  ])("%s and %s differ", (one, other, difference) => {
    expect(AcceleratorType.of(one).shapeDifference(AcceleratorType.of(other))).toBe(difference);
  });

  test.each([
    ["g5.xlarge", "g5.2xlarge"],
    ["g6.4xlarge", "gr6.4xlarge"],
    ["p5e.48xlarge", "p5en.48xlarge"],
    ["trn1.32xlarge", "trn1n.32xlarge"],
  ])("%s and %s are one", (one, other) => {
    expect(AcceleratorType.of(one).shapeDifference(AcceleratorType.of(other))).toBeUndefined();
  });

  test("is an equivalence over the whole catalogue", () => {
    const type = fc.constantFrom(...AcceleratorType.all());
    const same = (a: AcceleratorType, b: AcceleratorType) => a.shapeDifference(b) === undefined;
    fc.assert(
      fc.property(type, type, type, (a, b, c) => {
        expect(same(a, a)).toBe(true);
        expect(same(a, b)).toBe(same(b, a));
        expect(!(same(a, b) && same(b, c)) || same(a, c)).toBe(true);
      }),
    );
  });
});
