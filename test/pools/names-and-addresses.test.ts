import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { App, TerraformStack } from "cdktf";
import {
  ClusterPlacement,
  EfaLayout,
  GpuCluster,
  NodeGroupType,
  NodeRole,
  NodeTaint,
  SpotWithFallback,
} from "cdktf-elastic-gpu";
import { Construct } from "constructs";
import fc from "fast-check";
import { addPool, clusterAttributes, clusterOf, PoolChoices } from "../support/pool";
import { addresses, allOf, Json, problemsOf, synth, synthApp, theOne } from "../support/synth";

const everything: PoolChoices = {
  instanceTypes: ["p4d.24xlarge"],
  efa: EfaLayout.ipOptimised(),
  placement: ClusterPlacement.own(),
  availabilityZones: ["us-east-1a"],
};

const id = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,80}$/);
const path = fc.array(id, { minLength: 1, maxLength: 6 });
const clusterName = fc.stringMatching(/^[0-9A-Za-z][A-Za-z0-9_-]{0,99}$/);

/** Nested constructs down to a pool, as composition in other people's stacks makes them. */
function nest(stack: TerraformStack, ids: string[], nodeGroupType: NodeGroupType): void {
  const parent = ids
    .slice(0, -1)
    .reduce<Construct>(
      (scope, each) => (scope.node.tryFindChild(each) as Construct) ?? new Construct(scope, each),
      stack,
    );
  addPool(parent as TerraformStack, { ...everything, cluster: clusterOf(stack), nodeGroupType }, ids.at(-1));
}

const LIMITS: Record<string, [string, RegExp]> = {
  aws_iam_role: ["name", /^[\w+=,.@-]{1,64}$/],
  aws_iam_instance_profile: ["name", /^[\w+=,.@-]{1,128}$/],
  aws_launch_template: ["name", /^[A-Za-z0-9()./_-]{3,125}$/],
  aws_placement_group: ["name", /^[\w-]{1,255}$/],
  aws_security_group: ["name", /^(?!sg-)[\w-]{1,255}$/],
  aws_autoscaling_group: ["name", /^[\w-]{1,255}$/],
  aws_eks_node_group: ["node_group_name_prefix", /^[0-9A-Za-z][A-Za-z0-9_-]{0,36}$/],
};

/** What a stack's resources are called, by type. */
function namesOf(json: Json): Record<string, string[]> {
  const named = Object.entries(LIMITS).map(([type, [attribute]]) => [
    type,
    allOf(json, type).map((resource) => resource[attribute]),
  ]);
  return Object.fromEntries(named);
}

describe("names from the path", () => {
  test("are within the services' limits, however long the path and the cluster's name are", () => {
    fc.assert(
      fc.property(path, clusterName, fc.constantFrom(...Object.values(NodeGroupType)), (ids, name, nodeGroupType) => {
        const { json } = synth((stack) => {
          clusterOf(stack, { clusterName: name });
          nest(stack, ["at", ...ids], nodeGroupType);
        });
        for (const [type, names] of Object.entries(namesOf(json))) {
          names.forEach((each) => expect(each).toMatch(LIMITS[type]![1]));
        }
        const { tag_specifications: specifications } = theOne(json, "aws_launch_template");
        expect(specifications[0].tags.Name.length).toBeLessThanOrEqual(256);
      }),
      { numRuns: 20 },
    );
  });

  test("differ for different paths, however alike these begin", () => {
    fc.assert(
      fc.property(fc.uniqueArray(path, { minLength: 2, maxLength: 4, selector: String }), (paths) => {
        const start = "x".repeat(150);
        const { json } = synth((stack) =>
          paths.forEach((ids) =>
            nest(stack, [start, ...ids.map((each) => `p-${each}`), "pool"], NodeGroupType.SELF_MANAGED),
          ),
        );
        for (const names of Object.values(namesOf(json))) {
          expect(new Set(names).size).toBe(names.length);
        }
      }),
      { numRuns: 8 },
    );
  });

  test("are the same at every synth", () => {
    const build = (stack: TerraformStack) => nest(stack, ["a".repeat(90), "b".repeat(90)], NodeGroupType.SELF_MANAGED);
    expect(synth(build).json).toEqual(synth(build).json);
  });

  test("differ by cluster and region, since IAM knows one set of names for all regions", () => {
    const roleOf = (name: string, region: string) => {
      const subnets = [{ subnetId: "subnet-0aaa", availabilityZone: `${region}a` }];
      const { json } = synth(
        (stack) => addPool(stack, { cluster: clusterOf(stack, { clusterName: name, subnets }) }),
        region,
      );
      return theOne(json, "aws_iam_role").name;
    };
    const names = [roleOf("prod", "us-east-1"), roleOf("test", "us-east-1"), roleOf("prod", "eu-central-1")];
    expect(new Set(names).size).toBe(3);
    expect(names.every((name) => name.startsWith("test-pool-node-"))).toBe(true);
  });

  test("can be told apart in two stacks of one program", () => {
    const stacks = synthApp((app: App) => {
      for (const name of ["blue", "green"]) {
        const stack = new TerraformStack(app, name);
        new AwsProvider(stack, "aws", { region: "us-east-1" });
        addPool(stack, { ...everything, nodeGroupType: NodeGroupType.SELF_MANAGED });
      }
    });
    const [blue, green] = Object.values(stacks).map(({ json }) => namesOf(json));
    for (const type of Object.keys(LIMITS)) {
      expect(blue![type]!.filter((name) => green![type]!.includes(name))).toEqual([]);
    }
  });
});

test("a fixed name is used as it is, and role and profile are named after it", () => {
  const { json } = synth((stack) =>
    addPool(stack, { name: "n".repeat(46), nodeGroupType: NodeGroupType.SELF_MANAGED }),
  );
  expect(namesOf(json)).toMatchObject({
    aws_autoscaling_group: ["n".repeat(46)],
    aws_launch_template: ["n".repeat(46)],
    aws_iam_role: [`${"n".repeat(46)}-self-managed-node`],
    aws_iam_instance_profile: [`${"n".repeat(46)}-node`],
  });
});

test("a fixed name is taken once in a cluster, in whichever stack and however the cluster was imported", () => {
  const program = (app: App) => {
    for (const name of ["first", "second"]) {
      const stack = new TerraformStack(app, name);
      new AwsProvider(stack, "aws", { region: "us-east-1" });
      addPool(stack, { name: "inference" });
    }
  };
  expect(() => synthApp(program)).toThrow(
    'second/pool: name: must be the name of one pool of the cluster, got: "inference", which first/pool has. ' +
      "Choose another, or leave it out for a name from the construct path",
  );
});

describe("a fixed name of a pool in another cluster", () => {
  const otherAttributes = { ...clusterAttributes, clusterName: "other" };
  const abroad = [{ subnetId: "subnet-0ccc", availabilityZone: "us-west-2a" }];
  const line =
    'test/two: name: must be the name of one pool of the account and region, because launch templates are named so, got: "inference", ' +
    "which test/one of another cluster has. Choose another, or leave it out for a name from the construct path";

  /** Pools of two clusters with the same name, each by a provider of its own or by the stack's. */
  const program =
    (provider: (stack: TerraformStack) => [PoolChoices["provider"], PoolChoices["provider"]], subnets = abroad) =>
    (stack: TerraformStack) => {
      const [first, second] = provider(stack);
      const cluster = GpuCluster.fromAttributes(stack, "other", { ...otherAttributes, subnets });
      addPool(stack, { name: "inference", provider: first }, "one");
      addPool(stack, { name: "inference", cluster, provider: second }, "two");
    };
  const alias = (stack: TerraformStack, name: string, region = "us-east-1") =>
    new AwsProvider(stack, name, { alias: name, region });

  test.each<[string, (stack: TerraformStack) => [PoolChoices["provider"], PoolChoices["provider"]]]>([
    ["both by the stack's provider", () => [undefined, undefined]],
    ["both by it, one by name", (stack) => [undefined, stack.node.findChild("aws") as AwsProvider]],
    [
      "both by one with an alias",
      (stack) => {
        const both = alias(stack, "both");
        return [both, both];
      },
    ],
  ])("is refused where account and region are the same: %s", (_, providers) => {
    expect(problemsOf(program(providers, clusterAttributes.subnets))).toBe(line);
  });

  test("may be used by another provider, which may be that of another account", () => {
    expect(() =>
      synth(program((stack) => [undefined, alias(stack, "account")], clusterAttributes.subnets)),
    ).not.toThrow();
  });

  test("may be used in another region", () => {
    expect(() => synth(program((stack) => [undefined, alias(stack, "west", "us-west-2")]))).not.toThrow();
  });

  test("may be used in another stack, whose credentials may be of another account", () => {
    expect(() =>
      synthApp((app) => {
        for (const name of ["staging", "production"]) {
          const stack = new TerraformStack(app, name);
          new AwsProvider(stack, "aws", { region: "us-east-1" });
          addPool(stack, { name: "inference", cluster: clusterOf(stack, { clusterName: name }) });
        }
      }),
    ).not.toThrow();
  });

  test("is refused where nodes would stand in under it", () => {
    const build = (stack: TerraformStack) => {
      const cluster = GpuCluster.fromAttributes(stack, "other", otherAttributes);
      addPool(stack, { name: "inference-fallback" }, "one");
      const instanceTypes = ["g6.2xlarge", "g6.4xlarge"];
      new SpotWithFallback(stack, "two", { cluster, instanceTypes, maxNodes: 4, name: "inference" });
    };
    expect(problemsOf(build)).toBe(
      'test/two: name: must leave "inference-fallback" free for the nodes that stand in, got: "inference", while test/one has that name. ' +
        "Choose another, or leave it out for a name from the construct path",
    );
  });
});

describe("a fixed name by which the node role would be that of another pool", () => {
  const nodeRole = NodeRole.existing({ roleArn: "arn:aws:iam::123456789012:role/gpu-nodes" });
  const own: PoolChoices = { name: "gpu", nodeGroupType: NodeGroupType.SELF_MANAGED };
  const managed: PoolChoices = { name: "gpu-self-managed" };
  const build = (first: PoolChoices, second: PoolChoices) => (stack: TerraformStack) => {
    addPool(stack, first, "one");
    addPool(stack, second, "two");
  };

  test.each([
    [own, managed],
    [managed, own],
  ])("is refused: after %j, %j", (first, second) => {
    expect(problemsOf(build(first, second))).toBe(
      `test/two: name: must leave "gpu-self-managed-node" free for the node role, got: "${second.name}", while the node role of test/one has that name. ` +
        "Choose another, or leave it out for a name from the construct path",
    );
  });

  test("may be used by pools with a role that exists", () => {
    expect(() => synth(build(own, { ...managed, nodeRole }))).not.toThrow();
    expect(() => synth(build({ ...own, nodeRole }, managed))).not.toThrow();
  });
});

test("the kinds of group have roles of different names, so that a pool can change from one to the other", () => {
  const roleOf = (nodeGroupType: NodeGroupType) =>
    theOne(synth((stack) => addPool(stack, { nodeGroupType })).json, "aws_iam_role").name;
  expect(roleOf(NodeGroupType.MANAGED)).not.toBe(roleOf(NodeGroupType.SELF_MANAGED));
});

describe("addresses", () => {
  const shuffled = <T>(items: T[]) => fc.shuffledSubarray(items, { minLength: items.length });
  const labels = Array.from({ length: 5 }, (_, index) => `label-${index}`);
  const taints = Array.from({ length: 4 }, (_, index) => `taint-${index}`);
  const groups = ["sg-0a", "sg-0b", "sg-0c"];

  const program =
    (pools: string[], labelOrder: string[], taintOrder: string[], subnetOrder: number[], groupOrder: string[]) =>
    (stack: TerraformStack): void => {
      clusterOf(stack, { subnets: subnetOrder.map((index) => clusterAttributes.subnets[index]!) });
      pools.forEach((name, index) => {
        const pool = addPool(
          stack,
          {
            instanceTypes: ["g6.xlarge", "g6.2xlarge"],
            nodeGroupType: name === "c" ? NodeGroupType.SELF_MANAGED : NodeGroupType.MANAGED,
            labels: Object.fromEntries(labelOrder.map((key) => [key, "x"])),
            taints: taintOrder.map((key) => NodeTaint.noSchedule(key)),
            securityGroupIds: groupOrder,
          },
          name,
        );
        const windows = [
          { cron: "0 8 * * *", timezone: "UTC", minNodes: 1 },
          { cron: "0 18 * * *", timezone: "UTC", minNodes: 0 },
        ];
        (index % 2 ? windows : [...windows].reverse()).forEach((window) => pool.addSchedule(window));
      });
    };
  const inOrder = addresses(synth(program(["a", "b", "c"], labels, taints, [0, 1], groups)).json);

  test("follow names, whatever the order of pools, labels, taints, subnets, groups and schedules is", () => {
    fc.assert(
      fc.property(
        shuffled(["a", "b", "c"]),
        shuffled(labels),
        shuffled(taints),
        shuffled([0, 1]),
        shuffled(groups),
        (...orders) => expect(addresses(synth(program(...orders)).json)).toEqual(inOrder),
      ),
      { numRuns: 10 },
    );
  });

  test("of a pool stay when another comes, and when a label goes", () => {
    const more = addresses(synth(program(["new", "a", "b", "c"], labels, taints, [0, 1], groups)).json);
    expect(more).toEqual(expect.arrayContaining(inOrder));
    const fewer = addresses(synth(program(["a", "b", "c"], labels.slice(1), taints.slice(1), [0, 1], groups)).json);
    expect(inOrder).toEqual(expect.arrayContaining(fewer));
    expect(inOrder.length - fewer.length).toBe(4);
  });

  test("of tags whose keys differ in signs alone are different", () => {
    const { json } = synth((stack) =>
      addPool(stack, {
        labels: { "a.b": "x", "a-b": "x", a_b: "x", "a/b": "x" },
        taints: [NodeTaint.noSchedule("a.b")],
      }),
    );
    const keys = allOf(json, "aws_autoscaling_group_tag").map(({ tag }) => tag.key);
    expect(keys.filter((key) => /(label|taint)\/a.b$/.test(key))).toHaveLength(5);
  });
});
