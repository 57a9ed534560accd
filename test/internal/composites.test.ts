import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { SqsQueue } from "@cdktf/provider-aws/lib/sqs-queue";
import { TerraformStack } from "cdktf";
import { Construct } from "constructs";
import { addPool } from "../support/pool";
import { problemsOf, resources, synth, synthApp } from "../support/synth";

describe("node.addDependency()", () => {
  test("on a pool is refused, since CDKTF would drop it", () => {
    expect(problemsOf((stack) => addPool(stack, {}).node.addDependency(new SqsQueue(stack, "queue")))).toContain(
      "test/pool: node.addDependency() has no effect in CDKTF. Pass what must come first in dependsOn",
    );
  });

  test("of something else on the pool is not the pool's affair", () => {
    const build = (stack: TerraformStack) => new Construct(stack, "other").node.addDependency(addPool(stack, {}));
    expect(() => synth(build)).not.toThrow();
  });
});

describe("the partition", () => {
  const partitions = (build: (stack: TerraformStack) => void) => resources(synth(build).json, "data.aws_partition");

  test("is asked for once, however many pools need it", () => {
    const found = partitions((stack) => ["a", "b", "c"].forEach((id) => addPool(stack, {}, id)));
    expect(found).toEqual({ "elastic-gpu-partition": expect.not.objectContaining({ provider: expect.anything() }) });
  });

  test("is asked for once of each provider", () => {
    const found = partitions((stack) => {
      const provider = new AwsProvider(stack, "west", { region: "us-west-2", alias: "west" });
      addPool(stack, {}, "east");
      ["a", "b"].forEach((id) => addPool(stack, { provider }, id));
    });
    expect(Object.entries(found).map(([id, data]) => [id, data.provider])).toEqual([
      ["elastic-gpu-partition", undefined],
      ["elastic-gpu-partition-west", "aws.west"],
    ]);
  });

  test("is asked for in each stack", () => {
    const stacks = synthApp((app) => {
      for (const name of ["one", "two"]) {
        const stack = new TerraformStack(app, name);
        new AwsProvider(stack, "aws", { region: "us-east-1" });
        addPool(stack, {});
      }
    });
    const counts = Object.values(stacks).map(({ json }) => Object.keys(resources(json, "data.aws_partition")).length);
    expect(counts).toEqual([1, 1]);
  });
});
