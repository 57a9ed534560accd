import { PurchasePlan } from "cdktf-elastic-gpu";
import { GroupSettings } from "./settings";
import { World } from "./world";

export type Market = "on-demand" | "spot";

/** An EC2 instance of a group, and the node that it becomes. */
export interface Instance {
  readonly group: ScalingGroup;
  readonly market: Market;
  readonly launchedAt: number;
  /** When EC2 said that it takes the instance back. */
  noticeAt?: number;
  /** When the group began to end it. */
  terminatingAt?: number;
  /** When it is no more. */
  goneAt?: number;
  /** Whether its pods were sent away. */
  drained: boolean;
}

/** Seconds between a change of size, or an instance lost, and the launch that answers it (assumed). */
const REACTION_SECONDS = 20;
/** Seconds until an instance is in service, without a launch hook (assumed). */
const PENDING_SECONDS = 40;
/** Seconds that an instance without pods takes to end (assumed). */
const EMPTY_END_SECONDS = 30;

/** An Auto Scaling group: launches what is missing, On-Demand first, ends what is too much, and tries again where a launch fails. */
export class ScalingGroup {
  readonly instances: Instance[] = [];
  /** Launches that failed, by the minute. */
  readonly failures = new Map<number, number>();
  failedAt = -Infinity;
  minSize: number;
  private size: number;
  private nextLaunchAt = 0;
  private coolingFor?: number;
  private coolUntil = 0;

  constructor(
    readonly settings: GroupSettings,
    private readonly world: World,
    private readonly isBusy: (instance: Instance) => boolean,
  ) {
    this.minSize = settings.minSize;
    this.size = settings.desiredCapacity;
  }

  get desired(): number {
    return this.size;
  }

  /** What SetDesiredCapacity does: at once, and within the bounds. */
  resize(desired: number, now: number): void {
    const size = Math.min(Math.max(desired, this.minSize), this.settings.maxSize);
    if (size !== this.size) {
      this.size = size;
      this.nextLaunchAt = now + REACTION_SECONDS;
    }
  }

  /** Raises or lowers the minimum as a scheduled action does, which takes the desired capacity along. */
  hold(minSize: number, now: number): void {
    this.minSize = minSize;
    this.resize(this.size, now);
  }

  /** Instances that are not being ended. */
  get active(): Instance[] {
    return this.instances.filter(({ terminatingAt }) => terminatingAt === undefined);
  }

  inService(now: number): Instance[] {
    return this.active.filter(({ launchedAt }) => now >= launchedAt + PENDING_SECONDS);
  }

  /** Takes an instance out of the group and its desired capacity, as the autoscaler does once it has drained the node. */
  remove(instance: Instance, now: number): void {
    instance.drained = true;
    this.size -= 1;
    this.terminate(instance, now);
  }

  step(now: number): void {
    this.instances.splice(0, this.instances.length, ...this.instances.filter(({ goneAt = Infinity }) => goneAt > now));
    if (this.coolingFor !== undefined && this.instances.length === this.active.length) {
      this.coolUntil = now + this.coolingFor;
      this.coolingFor = undefined;
    }
    const wanted = this.size + this.atRisk(now);
    while (this.active.length > wanted) {
      this.terminate(this.mostExpendable(), now);
    }
    if (this.active.length === wanted) {
      this.nextLaunchAt = now + REACTION_SECONDS;
    } else if (now >= this.nextLaunchAt) {
      this.launch(now);
      this.nextLaunchAt = now + this.world.retrySeconds;
    }
  }

  /**
   * A step policy with a warm-up: what warms up is not counted, so that an alarm that goes on adds nothing twice
   * (EC2 Auto Scaling User Guide, Step and simple scaling policies).
   */
  stepOut(adjustment: number, warmUpSeconds: number, now: number): void {
    const warm = this.inService(now).filter(({ launchedAt }) => now >= launchedAt + PENDING_SECONDS + warmUpSeconds);
    this.resize(Math.max(this.size, warm.length + adjustment), now);
  }

  /**
   * A simple policy: it waits for what is under way, and from its end on for the cooldown, which begins after the terminate
   * hook (Scaling cooldowns, same guide).
   */
  simply(adjustment: number, cooldownSeconds: number, now: number): void {
    const underWay = this.coolingFor !== undefined || this.inService(now).length !== this.instances.length;
    if (!underWay && now >= this.coolUntil) {
      this.coolingFor = cooldownSeconds;
      this.resize(this.size + adjustment, now);
    }
  }

  private launch(now: number): void {
    const { onDemandBase, spotPercentage } = this.settings;
    const plan = PurchasePlan.mixed({ onDemandBase, spotPercentage }).at(this.size);
    const missing = this.size + this.atRisk(now) - this.active.length;
    const onDemand = Math.min(missing, Math.max(0, plan.onDemand - this.of("on-demand").length));
    const spot = Math.min(missing - onDemand, Math.max(0, this.world.spot(now) - this.of("spot").length));
    const failed = missing - onDemand - spot;
    const launched = [...Array<Market>(onDemand).fill("on-demand"), ...Array<Market>(spot).fill("spot")];
    this.instances.push(
      ...launched.map((market) => ({ group: this, market, launchedAt: now, drained: false }) satisfies Instance),
    );
    if (failed > 0) {
      const minute = Math.floor(now / 60);
      this.failures.set(minute, (this.failures.get(minute) ?? 0) + (this.world.failureForEach ? failed : 1));
      this.failedAt = now;
    }
  }

  private atRisk(now: number): number {
    return this.settings.capacityRebalance ? Math.min(this.world.atRisk?.(now) ?? 0, this.of("spot").length) : 0;
  }

  private of(market: Market): Instance[] {
    return this.active.filter((instance) => instance.market === market);
  }

  private mostExpendable(): Instance {
    return [...this.active].sort((one, other) => one.launchedAt - other.launchedAt)[0]!;
  }

  private terminate(instance: Instance, now: number): void {
    instance.terminatingAt = now;
    const drain = this.isBusy(instance)
      ? Math.min(this.world.drainSeconds, this.settings.heartbeatSeconds)
      : EMPTY_END_SECONDS;
    instance.goneAt = Math.min(instance.goneAt ?? Infinity, now + drain);
  }
}
