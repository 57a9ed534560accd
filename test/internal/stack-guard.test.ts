import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { DataAwsPartition } from "@cdktf/provider-aws/lib/data-aws-partition";
import { SqsQueue } from "@cdktf/provider-aws/lib/sqs-queue";
import {
  DataTerraformRemoteStateLocal,
  TerraformLocal,
  TerraformOutput,
  TerraformStack,
  TerraformVariable,
} from "cdktf";
import { Construct } from "constructs";
import { addPool } from "../support/pool";
import { problemsOf, resources, synth, synthApp } from "../support/synth";

const MERGED =
  "CDKTF would merge them into one; give one of the constructs another id (ids that differ in dots, blanks or other signs alone are the same to it)";

/** The problems of a stack with a pool and what else is put into it. */
const problemsWith = (build: (stack: TerraformStack) => void): string =>
  problemsOf((stack) => {
    addPool(stack, {});
    build(stack);
  });

describe("two elements of one address are refused", () => {
  test.each<[string, (scope: Construct, id: string) => Construct, string]>([
    ["resources", (scope, id) => new SqsQueue(scope, id), "aws_sqs_queue.ab"],
    ["data sources", (scope, id) => new DataAwsPartition(scope, id), "data.aws_partition.ab"],
    ["variables", (scope, id) => new TerraformVariable(scope, id, {}), "variable.ab"],
    ["locals", (scope, id) => new TerraformLocal(scope, id, 1), "locals.ab"],
    ["outputs", (scope, id) => new TerraformOutput(scope, id, { value: 1 }), "output.ab"],
    [
      "remote states",
      (scope, id) => new DataTerraformRemoteStateLocal(scope, id, { path: "x" }),
      "data.terraform_remote_state.ab",
    ],
  ])("%s whose ids CDKTF takes for the same", (_, make, address) => {
    const message = problemsWith((stack) => ["a.b", "ab"].forEach((id) => make(stack, id)));
    expect(message).toContain(`test/a.b and test/ab have one address, ${address}: ${MERGED}`);
  });

  test("resources that were given one logical id", () => {
    const message = problemsWith((stack) =>
      ["a", "b", "c"].forEach((id) => new SqsQueue(stack, id).overrideLogicalId("same")),
    );
    expect(message).toContain(`test/a and test/b and test/c have one address, aws_sqs_queue.same: ${MERGED}`);
  });

  test("a resource deep in the tree and one at its top", () => {
    const message = problemsWith((stack) => {
      new SqsQueue(new Construct(stack, "deep"), "queue").overrideLogicalId("queue");
      new SqsQueue(stack, "queue");
    });
    expect(message).toContain(`test/deep/queue and test/queue have one address, aws_sqs_queue.queue: ${MERGED}`);
  });

  test("providers without an alias", () => {
    const message = problemsWith((stack) => new AwsProvider(stack, "aws2", { region: "eu-west-1" }));
    expect(message).toContain(
      "test/aws and test/aws2 have one address, provider aws: give all but one of them an alias",
    );
  });

  test("providers of one alias", () => {
    const message = problemsWith((stack) => {
      ["west", "west2"].forEach((id) => new AwsProvider(stack, id, { region: "us-west-2", alias: "west" }));
    });
    expect(message).toContain("test/west and test/west2 have one address, provider aws.west: give all but one");
  });

  test("once, however many pools there are", () => {
    const message = problemsWith((stack) => {
      ["p1", "p2", "p3"].forEach((id) => addPool(stack, {}, id));
      ["a.b", "ab"].forEach((id) => new SqsQueue(stack, id));
    });
    expect(message.split("have one address")).toHaveLength(2);
  });

  test("in a nested stack with a pool", () => {
    const message = problemsOf((stack) => {
      const nested = new TerraformStack(stack, "nested");
      new AwsProvider(nested, "aws", { region: "us-east-1" });
      addPool(nested, {});
      ["a.b", "ab"].forEach((id) => new SqsQueue(nested, id));
    });
    expect(message).toContain(`test/nested/a.b and test/nested/ab have one address, aws_sqs_queue.ab: ${MERGED}`);
  });
});

describe("a stack is taken", () => {
  test("whose elements differ in type, id or place", () => {
    const { json } = synth((stack) => {
      addPool(stack, {});
      addPool(stack, {}, "other");
      new SqsQueue(stack, "same");
      new DataAwsPartition(stack, "same-data");
      new TerraformVariable(stack, "text", {});
      new TerraformOutput(stack, "text-out", { value: 1 }).overrideLogicalId("text");
      new TerraformLocal(stack, "local", 1);
      new SqsQueue(new Construct(stack, "deep"), "same");
      ["a", "b"].forEach((id) => new DataTerraformRemoteStateLocal(stack, id, { path: "x" }));
      new AwsProvider(stack, "west", { region: "us-west-2", alias: "west" });
    });
    expect(Object.keys(resources(json, "aws_sqs_queue"))).toHaveLength(2);
  });

  test("whose addresses another stack has as well", () => {
    const stacks = synthApp((app) => {
      for (const name of ["one", "two"]) {
        const stack = new TerraformStack(app, name);
        new AwsProvider(stack, "aws", { region: "us-east-1" });
        addPool(stack, {});
      }
    });
    expect(Object.keys(stacks)).toEqual(["one", "two"]);
  });

  test("whose nested stack has the same addresses", () => {
    const stacks = synthApp((app) => {
      const outer = new TerraformStack(app, "outer");
      for (const stack of [outer, new TerraformStack(outer, "inner")]) {
        new AwsProvider(stack, "aws", { region: "us-east-1" });
        new SqsQueue(stack, "queue").overrideLogicalId("queue");
        addPool(stack, {});
      }
    });
    expect(Object.keys(stacks)).toHaveLength(2);
  });
});
