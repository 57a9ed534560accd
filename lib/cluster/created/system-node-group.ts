import { EksCluster } from "@cdktf/provider-aws/lib/eks-cluster";
import { EksNodeGroup } from "@cdktf/provider-aws/lib/eks-node-group";
import { LaunchTemplate } from "@cdktf/provider-aws/lib/launch-template";
import { ITerraformDependable, Token } from "cdktf";
import { Construct } from "constructs";
import { AcceleratorType } from "../../accelerators";
import { NAME_LIMITS, displayName, physicalName, physicalNamePrefix } from "../../internal/names";
import { ownNodeRole } from "../../internal/node-role";
import { checkWhole } from "../../internal/numbers";
import { Problems } from "../../internal/problems";
import { ResourceOptions } from "../../internal/resource-options";
import { IAM_ROLE_NAME } from "../../internal/roles";
import { TAG_LIMITS } from "../../internal/tags";
import { isKnown } from "../../internal/tokens";
import { SYSTEM_NODE_LABELS } from "../system-node-labels";
import { SystemNodes } from "../system-nodes";

/** The provider's limit, below EKS's 63 by the 26 characters that Terraform adds. */
const NAME_PREFIX = 37;

const DEFAULT_TYPES = ["m7i.large"];
const DEFAULT_NODES = 2;
/** How many nodes the Cluster Autoscaler may add. */
const ROOM = 2;
/** Images of controllers and the system itself take about 10 GiB. */
const VOLUME_GIB = 50;

export interface SystemNodeFacts {
  readonly cluster: EksCluster;
  readonly kubernetesVersion: string;
  readonly nodes: SystemNodes;
  readonly subnetIds: string[];
  /** What must exist before a node starts, and go after the last one is gone. */
  readonly before: ITerraformDependable[];
  /** What names differ by although the path does not say it. */
  readonly realm: string;
  readonly tags: { [key: string]: string };
}

/** A managed group of CPU nodes without taints, for controllers. */
export function systemNodeGroup(scope: Construct, facts: SystemNodeFacts, options: ResourceOptions): EksNodeGroup {
  const { nodes, realm, tags } = facts;
  const within = new Construct(scope, "SystemNodes");
  const types = nodes.instanceTypes ?? DEFAULT_TYPES;
  const minSize = nodes.minNodes ?? DEFAULT_NODES;
  const role = ownNodeRole(
    within,
    {
      name: physicalName(within, IAM_ROLE_NAME, realm, "node"),
      description: "System nodes of one EKS cluster",
      managedPolicyArns: [],
      tags,
    },
    options,
  );
  return new EksNodeGroup(within, "Resource", {
    ...options,
    clusterName: facts.cluster.name,
    nodeGroupNamePrefix: physicalNamePrefix(within, NAME_PREFIX),
    nodeRoleArn: role.arn,
    subnetIds: facts.subnetIds,
    version: facts.kubernetesVersion,
    amiType: isArm(types[0]) ? "AL2023_ARM_64_STANDARD" : "AL2023_x86_64_STANDARD",
    instanceTypes: types,
    scalingConfig: { minSize, maxSize: nodes.maxNodes ?? minSize + ROOM, desiredSize: minSize },
    updateConfig: { maxUnavailable: 1 },
    launchTemplate: launchTemplate(within, facts, options),
    labels: SYSTEM_NODE_LABELS,
    tags,
    dependsOn: [...(options.dependsOn ?? []), ...facts.before, ...role.policies],
    lifecycle: { createBeforeDestroy: true, ignoreChanges: ["scaling_config[0].desired_size"] },
  });
}

/** Without security groups of its own: EKS then gives nodes the cluster's. */
function launchTemplate(
  scope: Construct,
  { realm, tags }: SystemNodeFacts,
  options: ResourceOptions,
): { id: string; version: string } {
  const template = new LaunchTemplate(scope, "LaunchTemplate", {
    ...options,
    name: physicalName(scope, NAME_LIMITS.launchTemplate, realm),
    description: "System nodes of one EKS cluster",
    updateDefaultVersion: true,
    blockDeviceMappings: [
      {
        deviceName: "/dev/xvda",
        ebs: { volumeSize: VOLUME_GIB, volumeType: "gp3", encrypted: "true", deleteOnTermination: "true" },
      },
    ],
    // One hop keeps pods from the node's role: controllers have their own through Pod Identity.
    metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 },
    tagSpecifications: ["instance", "volume", "network-interface"].map((resourceType) => ({
      resourceType,
      tags: { Name: displayName(scope, TAG_LIMITS.value), ...tags },
    })),
    tags,
  });
  return { id: template.id, version: Token.asString(template.latestVersion) };
}

export function checkSystemNodes(nodes: SystemNodes, problems: Problems): void {
  checkTypes(nodes.instanceTypes ?? DEFAULT_TYPES, problems);
  const { minNodes = DEFAULT_NODES, maxNodes } = nodes;
  const right = [
    checkWhole("systemNodes.minNodes", minNodes, 1, "Controllers need a node that GPU nodes are not", problems),
    maxNodes === undefined ||
      checkWhole("systemNodes.maxNodes", maxNodes, 1, "Leave it out for two more than minNodes", problems),
  ];
  if (maxNodes === undefined && !isKnown(minNodes)) {
    problems.add("systemNodes.maxNodes", "must be given where minNodes is a token", maxNodes, "Give both");
  }
  if (!right.includes(false) && maxNodes !== undefined && isKnown([minNodes, maxNodes]) && maxNodes < minNodes) {
    problems.add(
      "systemNodes.maxNodes",
      "must not be below minNodes",
      `minNodes ${minNodes}, maxNodes ${maxNodes}`,
      "Raise maxNodes, or lower minNodes",
    );
  }
}

function checkTypes(types: string[], problems: Problems): void {
  const property = "systemNodes.instanceTypes";
  if (types.length === 0 || !isKnown(types)) {
    problems.add(
      property,
      "must be literal names of instance types, at least one",
      types,
      `Leave it out for ${DEFAULT_TYPES[0]}, or name one`,
    );
    return;
  }
  for (const type of types) {
    if (isAccelerated(type)) {
      problems.add(
        property,
        "must be types without accelerators, since controllers would hold GPUs that nobody uses",
        type,
        `Leave it out for ${DEFAULT_TYPES[0]}, and make an ElasticGpuNodePool of ${type}`,
      );
    } else if (!/^[a-z][a-z0-9-]*\d[a-z0-9-]*\.[a-z0-9-]+$/.test(type)) {
      problems.add(property, "must be names of instance types", type, `Such as ${DEFAULT_TYPES[0]}`);
    }
  }
  if (types.some((type) => isArm(type) !== isArm(types[0]))) {
    problems.add(property, "must all have one architecture", types.join(", "), "Remove those of one of the two");
  }
}

/** The families of accelerated types, since the catalogue may not have the newest of them. */
function isAccelerated(type: string): boolean {
  return AcceleratorType.find(type) !== undefined || /^(g|gr|p|inf|trn|dl|dl\dq|vt|f)\d/.test(type);
}

/** Graviton types have a g behind the number of their generation: m7g, c7gn, im4gn. */
function isArm(type: string): boolean {
  return /^(a1|[a-z]+\d+[a-z]*g[a-z]*)\./.test(type);
}
