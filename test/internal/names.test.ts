import { App, TerraformStack } from "cdktf";
import { Construct } from "constructs";
import fc from "fast-check";
import { displayName, physicalName, physicalNamePrefix, shortHash } from "../../lib/internal/names";

/** A construct at a path, of which the first part is a stack. */
function at(path: string[]): Construct {
  const [stack, ...ids] = path;
  return ids.reduce<Construct>((scope, id) => new Construct(scope, id), new TerraformStack(new App(), stack));
}

const id = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,40}$/);
const path = fc
  .tuple(fc.stringMatching(/^[a-z][a-z0-9-]{0,30}$/), fc.array(id, { minLength: 1, maxLength: 4 }))
  .map(([stack, ids]) => [stack, ...ids]);
const limit = fc.integer({ min: 37, max: 255 });

/** Takes the shortest limit among the services: letters and digits first and last, or a hyphen where more is added. */
const NAME = /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/;

describe("names for services", () => {
  test("say the path, and end with a hash", () => {
    expect(physicalName(at(["gpu", "pools", "a_b"]), 64, "prod")).toBe(
      `gpu-pools-a-b-${shortHash("prod\ngpu/pools/a_b")}`,
    );
    expect(physicalName(at(["gpu", "pools"]), 64, "prod", "node")).toBe(
      `gpu-pools-node-${shortHash("prod\ngpu/pools")}`,
    );
    expect(physicalNamePrefix(at(["gpu", "pools"]), 37)).toBe("gpu-pools-");
    expect(displayName(at(["gpu", "pools"]), 37)).toBe("gpu-pools");
  });

  test("are within the limit, of one form and the same each time, for any path", () => {
    fc.assert(
      fc.property(path, limit, fc.constantFrom("", "node"), (ids, most, suffix) => {
        const name = physicalName(at(ids), most, "prod", suffix);
        expect(name).toMatch(NAME);
        expect(name.length).toBeLessThanOrEqual(most);
        expect(physicalName(at(ids), most, "prod", suffix)).toBe(name);
      }),
    );
  });

  test("are different for different paths and realms, however alike", () => {
    const named = fc.record({ ids: path, realm: fc.constantFrom("prod", "prod2", "") });
    fc.assert(
      fc.property(named, named, limit, (one, other, most) => {
        fc.pre(one.realm !== other.realm || one.ids.join("/") !== other.ids.join("/"));
        expect(physicalName(at(one.ids), most, one.realm)).not.toBe(physicalName(at(other.ids), most, other.realm));
      }),
    );
  });

  test.each([
    [
      ["gpu", "a-b", "c"],
      ["gpu", "a", "b-c"],
    ],
    [
      ["gpu", "a.b"],
      ["gpu", "a_b"],
    ],
    [
      ["gpu", `${"x".repeat(80)}1`],
      ["gpu", `${"x".repeat(80)}2`],
    ],
  ])("%j is not %j", (one, other) => {
    expect(physicalName(at(one), 64, "prod")).not.toBe(physicalName(at(other), 64, "prod"));
  });

  test("are not cut within a pair of a character, nor end in hyphens, where the path is cut", () => {
    expect(physicalName(at(["gpu", "ab-cdef"]), 16, "")).toBe(`gpu-ab-${shortHash("\ngpu/ab-cdef")}`);
  });
});

describe("the start of a name", () => {
  test("ends with a hyphen within the limit, for any path", () => {
    fc.assert(
      fc.property(path, limit, (ids, most) => {
        const prefix = physicalNamePrefix(at(ids), most);
        expect(prefix.slice(0, -1)).toMatch(NAME);
        expect(prefix).toMatch(/-$/);
        expect(prefix.length).toBeLessThanOrEqual(most);
      }),
    );
  });

  test.each([
    [36, "stays whole"],
    [37, "is cut, and ends with a hash"],
  ])("of %i characters %s where 37 are allowed", (length) => {
    const ids = ["gpu", "x".repeat(length - 4)];
    const cut = `gpu-${"x".repeat(23)}-${shortHash(ids.join("/"))}-`;
    expect(physicalNamePrefix(at(ids), 37)).toBe(length === 36 ? `${ids.join("-")}-` : cut);
  });
});

describe("a name for people", () => {
  test.each([
    [20, "gpu-xxxxxxxxxxxxxxxx"],
    [19, `gpu-xxxxxx-${shortHash("\ngpu/xxxxxxxxxxxxxxxx")}`],
  ])("is whole where it fits, and else ends with a hash: within %i", (most, name) => {
    expect(displayName(at(["gpu", "x".repeat(16)]), most)).toBe(name);
  });
});
