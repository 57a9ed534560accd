import fc from "fast-check";
import { AcceleratorType, AcceleratorVendor, Architecture, EfaInterface, EfaLayout } from "../../lib/accelerators";
import { catalogueEntry } from "../../lib/accelerators/catalogue";

/** "card/device kind" of each interface, which reads like the published tables. */
function lines(layout: EfaLayout, type: AcceleratorType): string[] {
  return layout
    ._interfaces(type)
    .map((nic) => `${nic.networkCardIndex}/${nic.deviceIndex} ${nic.interfaceType}`)
    .sort();
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
}

const ena = (device: number, cards: number[]) => cards.map((card) => `${card}/${device} interface`);
const efaOnly = (device: number, cards: number[]) => cards.map((card) => `${card}/${device} efa-only`);

const EVERY_FOURTH = [4, 8, 12, 16, 20, 24, 28];

describe("published layouts", () => {
  test.each([
    ["p5.48xlarge", [...ena(0, [0]), ...efaOnly(1, range(0, 31))]],
    ["p5e.48xlarge", [...ena(0, [0]), ...efaOnly(1, range(0, 31))]],
    ["p5en.48xlarge", [...ena(0, [0]), ...efaOnly(1, range(0, 15))]],
    ["p6-b200.48xlarge", [...ena(0, [0]), ...efaOnly(1, range(0, 7))]],
    ["p6-b300.48xlarge", [...ena(0, [0]), ...efaOnly(1, range(1, 16))]],
    ["p6e-gb200.36xlarge", [...ena(0, [0]), ...efaOnly(1, [1, 5, 9, 13])]],
  ])("%s IP-optimised", (name, expected) => {
    expect(lines(EfaLayout.ipOptimised(), AcceleratorType.of(name))).toEqual(expected.sort());
  });

  test.each([
    ["p5.48xlarge", [...ena(0, [0]), ...efaOnly(1, [0]), ...efaOnly(0, range(1, 31)), ...ena(1, EVERY_FOURTH)]],
    ["p5e.48xlarge", [...ena(0, [0]), ...efaOnly(1, [0]), ...efaOnly(0, range(1, 31)), ...ena(1, EVERY_FOURTH)]],
    ["p5en.48xlarge", [...ena(0, [0]), ...ena(1, [2, 4, 6, 8, 10, 12, 14]), ...efaOnly(2, range(0, 15))]],
    ["p6-b200.48xlarge", [...ena(0, [0]), ...ena(1, range(1, 7)), ...efaOnly(2, range(0, 7))]],
    ["p6-b300.48xlarge", [...ena(0, [0]), ...ena(1, range(1, 16)), ...efaOnly(0, range(1, 16))]],
    ["p6e-gb200.36xlarge", [...ena(0, [0]), ...ena(1, [2, 6, 10, 14]), ...efaOnly(2, [1, 5, 9, 13])]],
  ])("%s bandwidth-optimised", (name, expected) => {
    expect(lines(EfaLayout.bandwidthOptimised(), AcceleratorType.of(name))).toEqual(expected.sort());
  });

  test.each([
    ["p5.48xlarge", 8],
    ["p5e.48xlarge", 8],
    ["p5en.48xlarge", 8],
    ["p6-b200.48xlarge", 8],
    ["p6-b300.48xlarge", 17],
    ["p6e-gb200.36xlarge", 5],
  ])("%s bandwidth-optimised takes %i IP addresses, IP-optimised one", (name, addresses) => {
    const withAddress = (layout: EfaLayout) =>
      layout._interfaces(AcceleratorType.of(name)).filter((nic) => nic.interfaceType === "interface");
    expect(withAddress(EfaLayout.bandwidthOptimised())).toHaveLength(addresses);
    expect(withAddress(EfaLayout.ipOptimised())).toHaveLength(1);
  });
});

test("a type with one card has the same interfaces in both layouts, also in a family with a published one", () => {
  for (const name of ["g6.12xlarge", "p5.4xlarge"]) {
    const type = AcceleratorType.of(name);
    expect(lines(EfaLayout.ipOptimised(), type)).toEqual(["0/0 interface", "0/1 efa-only"]);
    expect(lines(EfaLayout.bandwidthOptimised(), type)).toEqual(["0/0 interface", "0/1 efa-only"]);
  }
});

test("several cards without a published layout follow EC2's general rule", () => {
  const type = AcceleratorType.of("p4d.24xlarge");
  expect(lines(EfaLayout.bandwidthOptimised(), type)).toEqual(
    [...ena(0, [0]), ...efaOnly(1, [0]), ...efaOnly(0, [1, 2, 3]), ...ena(1, [1, 2, 3])].sort(),
  );
});

const withEfa = AcceleratorType.all().filter((type) => type.efaCards.length > 0);
const optimised = [EfaLayout.ipOptimised(), EfaLayout.bandwidthOptimised()];

function expectValid(type: AcceleratorType, interfaces: EfaInterface[], enisPerCard: number): void {
  expect(interfaces[0]).toEqual({ networkCardIndex: 0, deviceIndex: 0, interfaceType: "interface" });
  const places = interfaces.map((nic) => `${nic.networkCardIndex}/${nic.deviceIndex}`);
  expect(new Set(places).size).toBe(places.length);
  const efas = interfaces.filter((nic) => nic.interfaceType !== "interface");
  expect(efas.map((nic) => nic.networkCardIndex)).toEqual(type.efaCards);
  expect(efas.every((nic) => nic.interfaceType === "efa-only")).toBe(true);
  for (const nic of interfaces) {
    expect(nic.networkCardIndex).toBeLessThan(type.networkCards);
    expect(nic.deviceIndex).toBeLessThan(enisPerCard);
  }
}

describe.each(withEfa.map((type) => [type.instanceType, type] as const))("%s", (name, type) => {
  test("keeps the rules of EC2 in both layouts", () => {
    // The one type without a public number of interfaces per card needs three in its published layout.
    const enisPerCard = catalogueEntry(name)?.row[4] ?? 3;
    for (const layout of optimised) {
      expectValid(type, layout._interfaces(type), enisPerCard);
    }
  });
});

test("any custom type keeps the rules of EC2 in both layouts", () => {
  const custom = fc.integer({ min: 1, max: 32 }).chain((networkCards) =>
    fc.record({
      networkCards: fc.constant(networkCards),
      efaCards: fc.uniqueArray(fc.nat({ max: networkCards - 1 }), { minLength: 1 }),
    }),
  );
  fc.assert(
    fc.property(custom, fc.constantFrom(...optimised), (cards, layout) => {
      const type = AcceleratorType.custom({
        instanceType: "p9.48xlarge",
        architecture: Architecture.X86_64,
        vcpus: 192,
        memoryMib: 1048576,
        vendor: AcceleratorVendor.NVIDIA,
        model: "H100",
        acceleratorCount: 8,
        acceleratorMemoryMib: 81920,
        enisOnCard0: 2,
        ipv4PerEni: 50,
        ...cards,
      });
      expectValid(type, layout._interfaces(type), 2);
    }),
  );
});

test("no interfaces are written without EFA, by choice or by type", () => {
  expect(EfaLayout.none()._interfaces(AcceleratorType.of("p5.48xlarge"))).toEqual([]);
  for (const layout of optimised) {
    expect(layout._interfaces(AcceleratorType.of("g5.xlarge"))).toEqual([]);
  }
});

test("layouts have names and are recognised", () => {
  const layouts = [...optimised, EfaLayout.none()];
  expect(layouts.map((layout) => layout.name)).toEqual(["ip-optimised", "bandwidth-optimised", "none"]);
  expect(layouts.every((layout) => EfaLayout.isEfaLayout(layout))).toBe(true);
  for (const other of [undefined, null, "none", {}, { name: "none" }]) {
    expect(EfaLayout.isEfaLayout(other)).toBe(false);
  }
});
