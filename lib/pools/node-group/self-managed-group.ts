import { AutoscalingGroup, AutoscalingGroupConfig } from "@cdktf/provider-aws/lib/autoscaling-group";
import { Construct } from "constructs";
import { terminationTags } from "../../cluster/termination-tags";
import { physicalName } from "../../internal/names";
import { ResourceOptions } from "../../internal/resource-options";
import { CapacityMarket } from "../capacity";
import { SpotAllocationStrategy } from "../spot-allocation-strategy";
import { GroupChoices } from "./choices";
import { GroupFacts } from "./managed-group";

/** The service's limit (EC2 Auto Scaling API, CreateAutoScalingGroup). */
const GROUP_NAME = 255;

export interface SelfManagedGroupFacts extends GroupFacts {
  /** What the name differs by although the path does not say it. */
  readonly realm: string;
  readonly choices: GroupChoices;
}

/** An Auto Scaling group of the user's own, whose nodes join by what their user data says. */
export function selfManagedGroup(
  scope: Construct,
  facts: SelfManagedGroupFacts,
  options: ResourceOptions,
): AutoscalingGroup {
  const { bounds, name, realm, choices } = facts;
  return new AutoscalingGroup(scope, "Resource", {
    ...options,
    name: name ?? physicalName(scope, GROUP_NAME, realm),
    minSize: bounds.minNodes,
    maxSize: bounds.maxNodes,
    desiredCapacity: bounds.desiredNodes,
    vpcZoneIdentifier: facts.subnetIds,
    ...instances(facts),
    ...reservations(choices),
    ...(choices.capacityRebalance && { capacityRebalance: true }),
    ...(choices.enabledMetrics && { enabledMetrics: choices.enabledMetrics, metricsGranularity: "1Minute" }),
    // Accelerated capacity is scarce: neither a wait nor a failed launch may hold an apply up.
    waitForCapacityTimeout: "0",
    ignoreFailedScalingActivities: true,
    // It ends busy nodes without draining them, to even out the zones.
    suspendedProcesses: ["AZRebalance"],
    ...instanceRefresh(facts),
    tag: groupTags(facts),
    dependsOn: [...(options.dependsOn ?? []), ...facts.before],
    lifecycle: { ignoreChanges: ["desired_capacity"] },
  });
}

/** A launch template where one type is bought in one way, else a mixed instances policy: a group takes one of the two. */
function instances({ template, shape, purchasePlan, choices }: SelfManagedGroupFacts): Partial<AutoscalingGroupConfig> {
  const { onDemandBase, spotPercentage } = purchasePlan;
  if (shape.types.length === 1 && spotPercentage === 0) {
    return { launchTemplate: template };
  }
  return {
    mixedInstancesPolicy: {
      instancesDistribution: {
        onDemandAllocationStrategy: "prioritized",
        onDemandBaseCapacity: onDemandBase,
        onDemandPercentageAboveBaseCapacity: 100 - spotPercentage,
        spotAllocationStrategy: choices.spotAllocationStrategy ?? SpotAllocationStrategy.PRICE_CAPACITY_OPTIMIZED,
      },
      launchTemplate: {
        launchTemplateSpecification: { launchTemplateId: template.id, version: template.version },
        // No weights: the Cluster Autoscaler would take one large instance for two nodes.
        override: shape.types.map((type) => ({ instanceType: type.instanceType })),
      },
    },
  };
}

/** On the group and not in the launch template, where a target would leave Spot and what is beyond it without instances. */
function reservations({ baseCapacity }: GroupChoices): Partial<AutoscalingGroupConfig> {
  if (baseCapacity?.market !== CapacityMarket.RESERVATION) {
    return {};
  }
  const { reservationId, resourceGroupArn } = baseCapacity;
  return {
    capacityReservationSpecification: {
      capacityReservationPreference: "capacity-reservations-first",
      capacityReservationTarget: {
        ...(reservationId !== undefined && { capacityReservationIds: [reservationId] }),
        ...(resourceGroupArn !== undefined && { capacityReservationResourceGroupArns: [resourceGroupArn] }),
      },
    },
  };
}

function instanceRefresh({ updatePolicy }: GroupFacts): Partial<AutoscalingGroupConfig> {
  return updatePolicy?.minHealthyPercentage === undefined
    ? {}
    : {
        instanceRefresh: {
          strategy: "Rolling",
          preferences: { minHealthyPercentage: updatePolicy.minHealthyPercentage },
        },
      };
}

/** By these the autoscaler finds the group, handlers find instances that go, and the instances belong to the cluster. */
export function discoveryTags(clusterName: string): { key: string; value: string; propagateAtLaunch: boolean }[] {
  return [
    { key: "k8s.io/cluster-autoscaler/enabled", value: "true", propagateAtLaunch: false },
    { key: `k8s.io/cluster-autoscaler/${clusterName}`, value: "owned", propagateAtLaunch: false },
    { key: `kubernetes.io/cluster/${clusterName}`, value: "owned", propagateAtLaunch: true },
    ...terminationTags(clusterName).map((tag) => ({ ...tag, propagateAtLaunch: true })),
  ];
}

/** Tags of instances come from the launch template; here stand those of the group. */
function groupTags({
  cluster,
  tags,
  templateTags,
}: GroupFacts): { key: string; value: string; propagateAtLaunch: boolean }[] {
  return [
    ...discoveryTags(cluster.clusterName),
    ...Object.entries({ ...tags, ...templateTags }).map(([key, value]) => ({ key, value, propagateAtLaunch: false })),
  ];
}
