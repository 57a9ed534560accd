import { HelmProvider } from "@cdktf/provider-helm/lib/provider";
import { KubernetesProvider } from "@cdktf/provider-kubernetes/lib/provider";
import { ClusterAutoscaler } from "cdktf-elastic-gpu";
import { parse } from "yaml";
import { theValues } from "../addon";
import { clusterOf } from "../pool";
import { addSpot, madeAt, SpotChoices } from "../spot";
import { Json, resources, synth } from "../synth";

/** One of the two Auto Scaling groups, as it was synthesized. */
export interface GroupSettings {
  readonly address: string;
  readonly name: string;
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredCapacity: number;
  readonly onDemandBase: number;
  readonly spotPercentage: number;
  readonly capacityRebalance: boolean;
  readonly heartbeatSeconds: number;
  /** Undefined: the autoscaler's own. */
  readonly unneededSeconds?: number;
}

/** A scaling policy of an alarm. */
export type PolicySettings = Json & { readonly group: string };

export interface AlarmSettings {
  /** Its id in the construct, such as `ShortageAlarm`. */
  readonly name: string;
  readonly alarm: Json;
  readonly policies: PolicySettings[];
}

export interface AutoscalerSettings {
  readonly initialBackoffSeconds: number;
  readonly mostBackoffSeconds: number;
  readonly backoffResetSeconds: number;
  readonly provisionSeconds: number;
  readonly unneededSeconds: number;
  /** The number that a group's name gets from the priority expander. */
  readonly priorityOf: (name: string) => number;
}

/** Everything about a pool and the autoscaler that a closed loop is made of, read off a synthesized stack. */
export interface LoopSettings {
  readonly mixed: GroupSettings;
  readonly fallback: GroupSettings;
  readonly alarms: AlarmSettings[];
  /** Nodes that placeholder pods hold. */
  readonly headroomNodes: number;
  readonly autoscaler: AutoscalerSettings;
}

const UNNEEDED_TAG = "k8s.io/cluster-autoscaler/node-template/autoscaling-options/scaledownunneededtime";

/** What a stack with such a pool and a Cluster Autoscaler is synthesized to. */
export function loopOf(choices: SpotChoices = {}): LoopSettings {
  const { json } = synth((stack) => {
    new HelmProvider(stack, "helm", {});
    new KubernetesProvider(stack, "kubernetes", {});
    addSpot(stack, choices);
    new ClusterAutoscaler(stack, "autoscaler", { cluster: clusterOf(stack) });
  });
  return {
    mixed: groupOf(json, ""),
    fallback: groupOf(json, "Fallback/"),
    alarms: ["ShortageAlarm", "LaunchFailureAlarm", "ReturnAlarm"].map((name) => alarmOf(json, name)),
    headroomNodes: choices.headroom ? Number(madeAt(json, "Placeholders").block.spec.replicas) : 0,
    autoscaler: autoscalerOf(json),
  };
}

/** The address that a reference such as `${aws_sns_topic.topic.arn}` is to, or the text as it is. */
export function addressIn(reference: string): string {
  return /^\$\{([\w-]+\.[\w-]+)\.[\w-]+\}$/.exec(reference)?.[1] ?? reference;
}

function groupOf(json: Json, path: string): GroupSettings {
  const { address, block } = madeAt(json, `${path}Resource`);
  const hook = madeAt(json, `${path}TerminateHook`).block;
  const distribution = block.mixed_instances_policy.instances_distribution;
  const unneeded = block.tag.find(({ key }: Json) => key === UNNEEDED_TAG)?.value;
  return {
    address,
    name: block.name,
    minSize: block.min_size,
    maxSize: block.max_size,
    desiredCapacity: block.desired_capacity,
    onDemandBase: distribution.on_demand_base_capacity,
    spotPercentage: 100 - distribution.on_demand_percentage_above_base_capacity,
    capacityRebalance: block.capacity_rebalance ?? false,
    heartbeatSeconds: hook.heartbeat_timeout,
    ...(unneeded !== undefined && { unneededSeconds: seconds(unneeded) }),
  };
}

function alarmOf(json: Json, name: string): AlarmSettings {
  const alarm = madeAt(json, name).block;
  const actions: string[] = alarm.alarm_actions.map(addressIn);
  const policies = Object.entries(resources(json, "aws_autoscaling_policy"))
    .filter(([id]) => actions.includes(`aws_autoscaling_policy.${id}`))
    .map(([, policy]) => ({ ...policy, group: addressIn(policy.autoscaling_group_name) }));
  return { name, alarm, policies };
}

function autoscalerOf(json: Json): AutoscalerSettings {
  const { extraArgs, expanderPriorities } = theValues(json);
  const priorities = Object.entries(parse(expanderPriorities) as { [priority: string]: string[] });
  return {
    initialBackoffSeconds: seconds(extraArgs["initial-node-group-backoff-duration"]),
    mostBackoffSeconds: seconds(extraArgs["max-node-group-backoff-duration"]),
    backoffResetSeconds: seconds(extraArgs["node-group-backoff-reset-timeout"]),
    provisionSeconds: seconds(extraArgs["max-node-provision-time"]),
    unneededSeconds: seconds(extraArgs["scale-down-unneeded-time"]),
    priorityOf: (name) =>
      Math.max(
        ...priorities
          .filter(([, patterns]) => patterns.some((pattern) => new RegExp(pattern).test(name)))
          .map(([priority]) => Number(priority)),
      ),
  };
}

/** A duration of Go, such as `10m0s`. */
function seconds(duration: string): number {
  const found = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration);
  if (!found) {
    throw new Error(`expected a duration such as 10m0s, got: ${duration}`);
  }
  const [hours, minutes, rest] = found.slice(1).map((part) => Number(part ?? 0));
  return hours! * 3600 + minutes! * 60 + rest!;
}
