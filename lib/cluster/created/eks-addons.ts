import { DataAwsEksAddonVersion } from "@cdktf/provider-aws/lib/data-aws-eks-addon-version";
import { EksAddon } from "@cdktf/provider-aws/lib/eks-addon";
import { EksCluster } from "@cdktf/provider-aws/lib/eks-cluster";
import { IamRole } from "@cdktf/provider-aws/lib/iam-role";
import { IamRolePolicyAttachment } from "@cdktf/provider-aws/lib/iam-role-policy-attachment";
import { ITerraformDependable, TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { physicalName } from "../../internal/names";
import { partitionOf } from "../../internal/partition";
import { Problems } from "../../internal/problems";
import { ResourceOptions } from "../../internal/resource-options";
import { assumedByPods, IAM_ROLE_NAME } from "../../internal/roles";
import { checkTextTokens } from "../../internal/texts";
import { isKnown } from "../../internal/tokens";
import { EksAddonVersions } from "../eks-addon-versions";
import { PodAddressing } from "../gpu-cluster-props";

/** Where EKS puts its add-ons. */
const NAMESPACE = "kube-system";

/** What decides the add-ons' settings. */
export interface AddonChoices {
  readonly podAddressing: PodAddressing;
  readonly systemNodeSelector: { [key: string]: string };
}

interface EksAddonRow {
  readonly name: string;
  readonly pinnedBy: keyof EksAddonVersions;
  /** Whether its pods need nodes to become ready; the others are on every node and must be there before it. */
  readonly needsNodes: boolean;
  /** Settings, by the add-on's own schema. Left out: all as EKS has them. */
  readonly settings?: (choices: AddonChoices) => object | undefined;
  /** What its pods may do, through EKS Pod Identity. */
  readonly identity?: { readonly serviceAccount: string; readonly policy: string };
}

/** In the order in which they are declared. The VPC CNI has its rights from the nodes' role, as pools give it them. */
const EKS_ADDONS: EksAddonRow[] = [
  {
    name: "vpc-cni",
    pinnedBy: "vpcCni",
    needsNodes: false,
    settings: ({ podAddressing }) =>
      podAddressing === PodAddressing.PREFIXES
        ? { env: { ENABLE_PREFIX_DELEGATION: "true", WARM_PREFIX_TARGET: "1" } }
        : undefined,
  },
  { name: "kube-proxy", pinnedBy: "kubeProxy", needsNodes: false },
  { name: "eks-pod-identity-agent", pinnedBy: "podIdentityAgent", needsNodes: false },
  {
    name: "coredns",
    pinnedBy: "coreDns",
    needsNodes: true,
    settings: ({ systemNodeSelector }) => ({ nodeSelector: systemNodeSelector }),
  },
  {
    name: "aws-ebs-csi-driver",
    pinnedBy: "ebsCsiDriver",
    needsNodes: true,
    settings: ({ systemNodeSelector }) => ({ controller: { nodeSelector: systemNodeSelector } }),
    identity: { serviceAccount: "ebs-csi-controller-sa", policy: "service-role/AmazonEBSCSIDriverPolicy" },
  },
];

export interface EksAddonFacts {
  readonly cluster: EksCluster;
  readonly kubernetesVersion: string;
  readonly versions: EksAddonVersions;
  readonly choices: AddonChoices;
  /** What names differ by although the path does not say it. */
  readonly realm: string;
  readonly tags: { [key: string]: string };
}

/** Add-ons that are there before the first node. */
export function addonsOfEveryNode(scope: Construct, facts: EksAddonFacts, options: ResourceOptions): EksAddon[] {
  return EKS_ADDONS.filter((row) => !row.needsNodes).map((row) => eksAddon(scope, row, facts, [], options));
}

/** Add-ons whose pods run on the system nodes, so that EKS calls them active once those are there. */
export function addonsOnSystemNodes(
  scope: Construct,
  facts: EksAddonFacts,
  nodes: ITerraformDependable[],
  options: ResourceOptions,
): EksAddon[] {
  return EKS_ADDONS.filter((row) => row.needsNodes).map((row) => eksAddon(scope, row, facts, nodes, options));
}

function eksAddon(
  scope: Construct,
  row: EksAddonRow,
  facts: EksAddonFacts,
  after: ITerraformDependable[],
  options: ResourceOptions,
): EksAddon {
  const { cluster, versions, choices, tags } = facts;
  const identity = row.identity && podIdentity(scope, row, facts, options);
  const settings = row.settings?.(choices);
  return new EksAddon(scope, `Addon-${row.name}`, {
    ...options,
    clusterName: cluster.name,
    addonName: row.name,
    addonVersion: versions[row.pinnedBy] ?? defaultVersion(scope, row, facts, options),
    configurationValues: settings && JSON.stringify(settings),
    podIdentityAssociation: identity && [{ roleArn: identity.roleArn, serviceAccount: identity.serviceAccount }],
    resolveConflictsOnCreate: "OVERWRITE",
    // What somebody set by hand where the settings say nothing, such as the Corefile, outlives an update.
    resolveConflictsOnUpdate: "PRESERVE",
    tags,
    dependsOn: [...(options.dependsOn ?? []), ...after, ...(identity ? [identity.policy] : [])],
  });
}

function defaultVersion(
  scope: Construct,
  { name }: EksAddonRow,
  { kubernetesVersion }: EksAddonFacts,
  { provider }: ResourceOptions,
): string {
  return new DataAwsEksAddonVersion(scope, `Version-${name}`, { provider, addonName: name, kubernetesVersion }).version;
}

interface PodIdentity {
  readonly serviceAccount: string;
  readonly roleArn: string;
  readonly policy: TerraformResource;
}

function podIdentity(
  scope: Construct,
  row: EksAddonRow,
  { cluster, realm, tags }: EksAddonFacts,
  options: ResourceOptions,
): PodIdentity | undefined {
  if (!row.identity) {
    return undefined;
  }
  const within = new Construct(scope, row.name);
  const role = new IamRole(within, "Role", {
    ...options,
    name: physicalName(within, IAM_ROLE_NAME, realm),
    description: `Pods of the EKS add-on ${row.name}`,
    assumeRolePolicy: assumedByPods(cluster.name, NAMESPACE, row.identity.serviceAccount),
    tags,
  });
  const policy = new IamRolePolicyAttachment(within, "Policy", {
    ...options,
    role: role.name,
    policyArn: `arn:${partitionOf(scope, options.provider)}:iam::aws:policy/${row.identity.policy}`,
  });
  return { serviceAccount: row.identity.serviceAccount, roleArn: role.arn, policy };
}

export function checkAddonVersions(versions: EksAddonVersions, problems: Problems): void {
  for (const { name, pinnedBy } of EKS_ADDONS) {
    const version: unknown = versions[pinnedBy];
    const property = `addonVersions.${pinnedBy}`;
    if (version === undefined || !checkTextTokens(property, version, problems)) {
      continue;
    }
    if (isKnown(version) && !/^v\d+\.\d+\.\d+-eksbuild\.\d+$/.test(String(version))) {
      problems.add(
        property,
        `must be a version of the EKS add-on ${name} such as v1.13.1-eksbuild.1`,
        version,
        `Take one that aws eks describe-addon-versions --addon-name ${name} lists, or leave it out for EKS's default`,
      );
    }
  }
}
