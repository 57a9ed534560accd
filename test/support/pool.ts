import { TerraformStack } from "cdktf";
import {
  Addon,
  ElasticGpuNodePool,
  ElasticGpuNodePoolProps,
  GpuCluster,
  GpuClusterAttributes,
  IGpuCluster,
} from "cdktf-elastic-gpu";
import { allOf, Json, problemsOf, synth, SynthesizedStack } from "./synth";

/** A cluster of which everything is known, with one subnet in each of two zones. */
export const clusterAttributes: GpuClusterAttributes = {
  clusterName: "prod",
  kubernetesVersion: "1.34",
  endpoint: "https://EXAMPLE.gr7.us-east-1.eks.amazonaws.com",
  certificateAuthority: "LS0tLS1CRUdJTg==",
  serviceCidr: "10.100.0.0/16",
  clusterSecurityGroupId: "sg-0123456789abcdef0",
  vpcId: "vpc-0123456789abcdef0",
  subnets: [
    { subnetId: "subnet-0aaa", availabilityZone: "us-east-1a" },
    { subnetId: "subnet-0bbb", availabilityZone: "us-east-1b" },
  ],
};

/** Properties of a pool; those left out make a plain one, of the type g6.12xlarge with at most 4 nodes. */
export type PoolChoices = Partial<ElasticGpuNodePoolProps>;

/** The cluster of a stack, made when it is first asked for. */
export function clusterOf(stack: TerraformStack, attributes: Partial<GpuClusterAttributes> = {}): IGpuCluster {
  return (
    (stack.node.tryFindChild("cluster") as IGpuCluster | undefined) ??
    GpuCluster.fromAttributes(stack, "cluster", { ...clusterAttributes, ...attributes })
  );
}

export function addPool(stack: TerraformStack, choices: PoolChoices, id = "pool"): ElasticGpuNodePool {
  return new ElasticGpuNodePool(stack, id, {
    cluster: choices.cluster ?? clusterOf(stack),
    instanceTypes: ["g6.12xlarge"],
    maxNodes: 4,
    ...choices,
  });
}

/**
 * A stack named "test" with one pool named "pool", on a cluster that has every add-on. Choices that need the stack, such as
 * tokens, are made with it.
 */
export function synthPool(choices: PoolChoices | ((stack: TerraformStack) => PoolChoices)): SynthesizedStack {
  return synth((stack) => {
    Object.values(Addon).forEach((addon) => clusterOf(stack).alreadyHas(addon));
    addPool(stack, typeof choices === "function" ? choices(stack) : choices);
  });
}

/** The lines by which a pool is refused. Choices may be of any form, as in a program without types. */
export function refusalOf(choices: any): string[] {
  return problemsOf((stack) => addPool(stack, typeof choices === "function" ? choices(stack) : choices)).split("\n");
}

/** Tags of the Auto Scaling group, whichever resource sets them. */
export function autoscalingTags(json: Json): Record<string, string> {
  const blocks: Json[] = [
    ...allOf(json, "aws_autoscaling_group_tag").map(({ tag }) => tag),
    ...allOf(json, "aws_autoscaling_group").flatMap(({ tag }) => tag),
  ];
  return Object.fromEntries(blocks.map(({ key, value }) => [key, value]));
}

const TEMPLATE = "k8s.io/cluster-autoscaler/node-template/";

/** What the autoscaler reads off an empty group, without the prefix that all such tags have. */
export function templateTags(json: Json): Record<string, string> {
  const own = Object.entries(autoscalingTags(json)).filter(([key]) => key.startsWith(TEMPLATE));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(TEMPLATE.length), value]));
}
