import fc from "fast-check";
import { carve, longestPrefix } from "../../lib/cluster/network/carve";
import { Cidr, formatCidr, overlap, parseCidr, partOf, sizeOf, usableIn, within } from "../../lib/cluster/network/cidr";

/** Any range that is written with its first address. */
const ranges = (least: number, most: number) =>
  fc
    .tuple(fc.integer({ min: least, max: most }), fc.integer({ min: 0, max: 2 ** 32 - 1 }))
    .map(([prefix, address]): Cidr => ({ base: address - (address % 2 ** (32 - prefix)), prefix }));

const networks = fc
  .integer({ min: 2, max: 7 })
  .chain((zones) => fc.tuple(fc.constant(zones), ranges(16, longestPrefix(zones))));

describe("ranges of addresses", () => {
  test("are written as they are read", () => {
    fc.assert(fc.property(ranges(0, 32), (range) => expect(parseCidr(formatCidr(range))).toEqual(range)));
  });

  test.each([
    ["an address", "10.0.0.0"],
    ["an address inside of the range", "10.0.0.5/16"],
    ["too large a number", "10.0.256.0/24"],
    ["a leading zero", "10.0.00.0/16"],
    ["a prefix that is too long", "10.0.0.0/33"],
    ["a prefix with a leading zero", "10.0.0.0/08"],
    ["three numbers", "10.0.0/16"],
    ["an IPv6 range", "2001:db8::/32"],
    ["blanks", " 10.0.0.0/16"],
  ])("%s is none", (_, text) => expect(parseCidr(text)).toBeUndefined());

  test("overlap where one address is in both", () => {
    fc.assert(
      fc.property(ranges(0, 32), ranges(0, 32), (a, b) => {
        // Ranges are aligned, so that two either nest or are apart: the longer prefix decides.
        const [large, small] = a.prefix <= b.prefix ? [a, b] : [b, a];
        const nested = Math.floor(large.base / sizeOf(large)) === Math.floor(small.base / sizeOf(large));
        expect([overlap(a, b), overlap(b, a), within(small, large)]).toEqual([nested, nested, nested]);
      }),
    );
  });

  test("lose five addresses as subnets", () => {
    expect(usableIn(parseCidr("10.0.0.0/24")!)).toBe(251);
  });

  test("are cut into parts one after the other", () => {
    const vpc = parseCidr("10.0.0.0/16")!;
    expect([0, 1, 3].map((index) => formatCidr(partOf(vpc, 18, index)))).toEqual([
      "10.0.0.0/18",
      "10.0.64.0/18",
      "10.0.192.0/18",
    ]);
  });
});

describe("a network cut for any number of zones", () => {
  test("has subnets in its range that do not overlap, one of each kind for each zone", () => {
    fc.assert(
      fc.property(networks, ([zones, vpc]) => {
        const { privateSubnets, publicSubnets } = carve(vpc, zones);
        expect([privateSubnets.length, publicSubnets.length]).toEqual([zones, zones]);
        const all = [...privateSubnets, ...publicSubnets];
        for (const [index, subnet] of all.entries()) {
          expect(within(subnet, vpc)).toBe(true);
          expect(parseCidr(formatCidr(subnet))).toEqual(subnet);
          expect(all.slice(index + 1).filter((other) => overlap(subnet, other))).toEqual([]);
        }
      }),
    );
  });

  test("gives nodes equal subnets, twice as large ones would leave no room for public ones", () => {
    fc.assert(
      fc.property(networks, ([zones, vpc]) => {
        const { privateSubnets } = carve(vpc, zones);
        const size = sizeOf(privateSubnets[0]!);
        expect(privateSubnets.map(sizeOf)).toEqual(privateSubnets.map(() => size));
        expect(2 * size * zones).toBeGreaterThanOrEqual(sizeOf(vpc));
      }),
    );
  });

  test("has public subnets that load balancers take", () => {
    fc.assert(
      fc.property(networks, ([zones, vpc]) => {
        const prefixes = carve(vpc, zones).publicSubnets.map(({ prefix }) => prefix);
        expect(Math.max(...prefixes)).toBeLessThanOrEqual(27);
        expect(Math.min(...prefixes)).toBeGreaterThanOrEqual(24);
      }),
    );
  });

  test("keeps its subnets when a zone is added, unless it is the fourth", () => {
    fc.assert(
      fc.property(ranges(16, longestPrefix(7)), fc.constantFrom(2, 4, 5, 6), (vpc, zones) => {
        const [before, after] = [carve(vpc, zones), carve(vpc, zones + 1)];
        expect(after.privateSubnets.slice(0, zones)).toEqual(before.privateSubnets);
        expect(after.publicSubnets.slice(0, zones)).toEqual(before.publicSubnets);
      }),
    );
    const vpc = parseCidr("10.0.0.0/16")!;
    expect(carve(vpc, 4).privateSubnets.slice(0, 3)).not.toEqual(carve(vpc, 3).privateSubnets);
  });

  test("is a quarter of the range a zone for three zones", () => {
    const { privateSubnets, publicSubnets } = carve(parseCidr("10.0.0.0/16")!, 3);
    expect(privateSubnets.map(formatCidr)).toEqual(["10.0.0.0/18", "10.0.64.0/18", "10.0.128.0/18"]);
    expect(publicSubnets.map(formatCidr)).toEqual(["10.0.192.0/24", "10.0.193.0/24", "10.0.194.0/24"]);
  });

  test.each([
    [2, 23],
    [3, 23],
    [4, 21],
    [7, 21],
  ])("needs for %i zones a range of at most /%i", (zones, prefix) => expect(longestPrefix(zones)).toBe(prefix));
});
