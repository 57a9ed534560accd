import { handlerTag, terminationTags } from "../../lib/cluster/termination-tags";
import { textToken } from "../support/samples";
import { synth } from "../support/synth";

test("instances carry what any handler looks for, and what this cluster's alone does", () => {
  expect(terminationTags("prod")).toEqual([
    { key: "aws-node-termination-handler/managed", value: "true" },
    { key: "aws-node-termination-handler/prod", value: "true" },
  ]);
});

test("keys of the longest names of clusters stay within the limit, and differ", () => {
  const long = "c".repeat(99);
  expect(handlerTag(long)).toBe(`aws-node-termination-handler/${long}`);
  const keys = [`${long}1`, `${long}2`].map(handlerTag);
  expect(keys.map((key) => key.length)).toEqual([128, 128]);
  expect(keys[0]).not.toBe(keys[1]);
  keys.forEach((key) => expect(key).toMatch(/^aws-node-termination-handler\/c{90}-[0-9a-f]{8}$/));
});

test("a name that is a token stays as it is", () => {
  synth((stack) => {
    const name = textToken(stack);
    expect(handlerTag(name)).toBe(`aws-node-termination-handler/${name}`);
  });
});
