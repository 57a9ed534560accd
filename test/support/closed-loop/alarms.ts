import { AlarmState, MetricAlarm } from "../metric-alarm";
import { Series } from "../metric-math";
import { Json } from "../synth";
import { ScalingGroup } from "./scaling-group";
import { addressIn, AlarmSettings, PolicySettings } from "./settings";

interface Watch {
  readonly name: string;
  readonly alarm: MetricAlarm;
  readonly settings: AlarmSettings;
  state: AlarmState;
}

/** A change of an alarm's state, or what a policy did because of one. */
export interface AlarmEvent {
  readonly at: number;
  readonly alarm: string;
  readonly what: AlarmState | "raised" | "lowered";
}

/** The sizes that a group publishes once a minute. */
const SIZES: { readonly [metric: string]: (group: ScalingGroup, now: number) => number } = {
  GroupDesiredCapacity: (group) => group.desired,
  GroupInServiceInstances: (group, now) => group.inService(now).length,
  GroupMaxSize: (group) => group.settings.maxSize,
  GroupPendingInstances: (group, now) => group.active.length - group.inService(now).length,
};

/** CloudWatch and EventBridge: metrics of the groups, the alarms on them, and what Auto Scaling does when it hears of them. */
export class Alarms {
  readonly events: AlarmEvent[] = [];
  private readonly watches: Watch[];
  private readonly samples = new Map<string, Map<number, number>>();

  constructor(
    settings: AlarmSettings[],
    private readonly groups: ScalingGroup[],
    private readonly delaySeconds: number,
  ) {
    this.watches = settings.map((each) => ({
      name: each.name,
      alarm: new MetricAlarm(each.alarm),
      settings: each,
      state: "OK",
    }));
  }

  /** Once a minute: sizes as they are now, alarms on what has arrived. While an alarm lasts, its policies run each time. */
  step(now: number): void {
    const minute = now / 60;
    for (const watch of this.watches) {
      const { state, value } = watch.alarm.evaluate(minute - 1, (query) => this.read(query, now), watch.state);
      if (state !== watch.state) {
        this.events.push({ at: now, alarm: watch.name, what: state });
        watch.state = state;
      }
      if (state === "ALARM") {
        watch.settings.policies.forEach((policy) => this.run(watch, policy, value!, now));
      }
    }
    this.sample(minute, now);
  }

  private sample(minute: number, now: number): void {
    for (const group of this.groups) {
      for (const [metric, size] of Object.entries(SIZES)) {
        this.seriesOf(`${metric} of ${group.settings.address}`).set(minute, size(group, now));
      }
    }
  }

  private read({ metric }: Json, now: number): Series {
    const { namespace, metric_name, dimensions } = metric;
    if (namespace === "AWS/AutoScaling" && Object.hasOwn(SIZES, metric_name)) {
      const address = addressIn(dimensions.AutoScalingGroupName);
      return this.arrived(this.seriesOf(`${metric_name} of ${address}`), now);
    }
    if (namespace === "AWS/Events" && metric_name === "Invocations") {
      // The rule matches launches of the mixed group, and minutes without any have no data point.
      return this.arrived(this.groups[0]!.failures, now);
    }
    throw new Error(`no metric ${namespace} ${metric_name} is published`);
  }

  /** Of the last hour, which is more than an alarm looks at. */
  private arrived(series: Series, now: number): Series {
    const points = new Map<number, number>();
    const last = Math.floor((now - this.delaySeconds) / 60);
    for (let minute = last - 60; minute <= last; minute++) {
      const value = series.get(minute);
      if (value !== undefined) {
        points.set(minute, value);
      }
    }
    return points;
  }

  private seriesOf(key: string): Map<number, number> {
    if (!this.samples.has(key)) {
      this.samples.set(key, new Map());
    }
    return this.samples.get(key)!;
  }

  private run({ name, settings }: Watch, policy: PolicySettings, value: number, now: number): void {
    const group = this.groups.find((each) => each.settings.address === policy.group)!;
    const before = group.desired;
    if (policy.policy_type === "SimpleScaling") {
      group.simply(policy.scaling_adjustment, policy.cooldown, now);
    } else {
      const step = policy.step_adjustment.find((each: Json) => covers(each, value - settings.alarm.threshold));
      group.stepOut(step.scaling_adjustment, policy.estimated_instance_warmup, now);
    }
    if (group.desired !== before) {
      this.events.push({ at: now, alarm: name, what: group.desired > before ? "raised" : "lowered" });
    }
  }
}

/** The lower bound is part of a step above the threshold, the upper is not. */
function covers(
  { metric_interval_lower_bound: lower, metric_interval_upper_bound: upper }: Json,
  above: number,
): boolean {
  return above >= Number(lower ?? -Infinity) && above < Number(upper ?? Infinity);
}
