import { Alarms, AlarmEvent } from "./closed-loop/alarms";
import { Autoscaler } from "./closed-loop/autoscaler";
import { Pods } from "./closed-loop/pods";
import { ScalingGroup } from "./closed-loop/scaling-group";
import { LoopSettings } from "./closed-loop/settings";
import { World } from "./closed-loop/world";

/** How it stood at an instant. */
export interface Moment {
  readonly at: number;
  readonly mixedDesired: number;
  readonly mixedThere: number;
  readonly fallbackDesired: number;
  readonly fallbackThere: number;
  readonly podsWaiting: number;
}

/** Scan interval of the autoscaler. */
const STEP_SECONDS = 10;

/** Seconds that EC2 gives a Spot instance between its notice and its end. */
const NOTICE_SECONDS = 120;

/**
 * Both groups of a pool with all that moves them: Auto Scaling itself, the autoscaler, and the alarms.
 *
 * It is a model, and stands for what the documentation says and what was seen of the real autoscaler; how fast EC2 is, how
 * often Auto Scaling tries again and how it counts failures are assumptions, which the world holds.
 */
export class ClosedLoop {
  readonly history: Moment[] = [];
  readonly mixed: ScalingGroup;
  readonly fallback: ScalingGroup;
  private readonly pods: Pods;
  private readonly autoscaler: Autoscaler;
  private readonly alarms: Alarms;
  private now = 0;

  constructor(
    settings: LoopSettings,
    private readonly world: World,
  ) {
    const groups = [settings.mixed, settings.fallback].map(
      (each) => new ScalingGroup(each, world, (instance) => this.pods.isBusy(instance)),
    );
    [this.mixed, this.fallback] = groups as [ScalingGroup, ScalingGroup];
    this.pods = new Pods(groups, settings.headroomNodes, world);
    this.autoscaler = new Autoscaler(settings.autoscaler, groups, this.pods, world);
    this.alarms = new Alarms(settings.alarms, groups, world.metricDelaySeconds);
  }

  get events(): AlarmEvent[] {
    return this.alarms.events;
  }

  runUntil(end: number): void {
    for (; this.now < end; this.now += STEP_SECONDS) {
      this.step(this.now);
    }
  }

  private step(now: number): void {
    if (this.world.minNodes) {
      this.mixed.hold(this.world.minNodes(now), now);
    }
    this.reclaim(now);
    [this.mixed, this.fallback].forEach((group) => group.step(now));
    this.pods.step(now);
    if (this.world.autoscaler(now) !== "off") {
      this.autoscaler.step(now);
    }
    if (now % 60 === 0) {
      this.alarms.step(now);
    }
    this.record(now);
  }

  private reclaim(now: number): void {
    const spot = this.mixed.instances.filter(({ market, noticeAt }) => market === "spot" && noticeAt === undefined);
    for (const instance of spot.slice(Math.max(0, this.world.spot(now)))) {
      instance.noticeAt = now;
      instance.goneAt = now + NOTICE_SECONDS;
    }
  }

  private record(now: number): void {
    this.history.push({
      at: now,
      mixedDesired: this.mixed.desired,
      mixedThere: this.mixed.active.length,
      fallbackDesired: this.fallback.desired,
      fallbackThere: this.fallback.active.length,
      podsWaiting: this.pods.unplaced(false).length,
    });
  }
}
