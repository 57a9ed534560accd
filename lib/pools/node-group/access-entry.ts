import { EksAccessEntry } from "@cdktf/provider-aws/lib/eks-access-entry";
import { ITerraformDependable, TerraformStack } from "cdktf";
import { Construct, IConstruct } from "constructs";
import { IGpuCluster } from "../../cluster";
import { clusterIdentity } from "../../cluster/identity";
import { shortHash } from "../../internal/names";
import { once } from "../../internal/once";
import { ResourceOptions } from "../../internal/resource-options";
import { identityOf, isKnown } from "../../internal/tokens";

/** Who answers for the access entries of an app's node roles. EKS takes one entry for a role and cluster. */
interface AccessOfApp {
  /** Made for self-managed groups, in whichever stack. */
  readonly entries: Map<string, EksAccessEntry>;
  /** Made by EKS, for the managed node group at the path. */
  readonly managed: Map<string, string>;
}

const ACCESS = Symbol.for("cdktf-elastic-gpu/NodeAccess");

/**
 * Lets self-managed nodes join the cluster.
 *
 * The entry of a role of the pool's own is the pool's. That of a role which pools share belongs to the stack, so that it
 * stays where it is when pools come, go, or change places.
 *
 * @returns what must exist before a node starts.
 */
export function accessEntry(
  scope: Construct,
  cluster: IGpuCluster,
  role: { readonly arn: string; readonly isOwn: boolean },
  tags: { [key: string]: string },
  options: ResourceOptions,
): ITerraformDependable[] {
  const { entries, managed } = accessOf(scope);
  const key = accessKey(cluster, role.arn);
  scope.node.addValidation({ validate: () => conflict(scope, managed.get(key)) });
  const existing = entries.get(key);
  if (existing) {
    return orderedAfter(scope, existing);
  }
  const config = { clusterName: cluster.clusterName, principalArn: role.arn, type: "EC2_LINUX" };
  // Without a name that is the same at every synth it has to be the pool's.
  const entry =
    !role.isOwn && isKnown(key)
      ? new EksAccessEntry(TerraformStack.of(scope), `elastic-gpu-access-${shortHash(key)}`, {
          ...config,
          provider: options.provider,
        })
      : new EksAccessEntry(scope, "AccessEntry", { ...options, ...config, tags });
  entries.set(key, entry);
  return [entry];
}

/** Of another stack a resource cannot wait for the entry, but its stack for the other. */
function orderedAfter(scope: Construct, entry: EksAccessEntry): ITerraformDependable[] {
  const [own, other] = [TerraformStack.of(scope), TerraformStack.of(entry)];
  if (own === other) {
    return [entry];
  }
  if (!other.dependsOn(own)) {
    own.addDependency(other);
  }
  return [];
}

/** Remembers that EKS makes the access entry of a role. */
export function noteManagedRole(scope: Construct, cluster: IGpuCluster, arn: string): void {
  accessOf(scope).managed.set(accessKey(cluster, arn), scope.node.path);
}

function conflict(scope: IConstruct, managedGroup: string | undefined): string[] {
  return managedGroup === undefined
    ? []
    : [
        `${scope.node.path}: nodeRole: must not make an access entry for a role that the managed node group ${managedGroup} has, ` +
          `because EKS makes that one itself. Give NodeRole.existing() the access HAS_ACCESS_ENTRY`,
      ];
}

function accessOf(scope: IConstruct): AccessOfApp {
  return once(scope.node.root, ACCESS, () => ({ entries: new Map(), managed: new Map() }));
}

function accessKey(cluster: IGpuCluster, arn: string): string {
  return `${clusterIdentity(cluster)}\n${identityOf(arn)}`;
}
