import { Pods } from "./pods";
import { Instance, ScalingGroup } from "./scaling-group";
import { AutoscalerSettings } from "./settings";
import { World } from "./world";

/** What it knows of a group: what the last refresh showed, and what it has done since. */
interface View {
  readonly group: ScalingGroup;
  size: number;
  setAt: number;
  /** Instances that were asked for and are not there. */
  placeholders: number;
  /** Whether an activity since the last change of size says that they are not to be had. */
  unfulfillable: boolean;
  /** Placeholders that were known to be unfulfillable before. */
  seen: number;
  request?: { readonly increase: number; readonly dueAt: number };
  backoff?: { readonly seconds: number; readonly until: number; readonly failedAt: number };
}

/** So often it reads groups and their activities, and in the next loop where it removed something (cloudprovider/aws). */
const REFRESH_SECONDS = 60;
/** So long it leaves new pods with GPUs alone (core, unschedulablePodWithGpuTimeBuffer). */
const YOUNG_SECONDS = 30;
/** Default of `--scale-down-delay-after-add`. */
const DELAY_AFTER_ADD_SECONDS = 600;

/** The Cluster Autoscaler as far as it moves the two groups of one pool. A step is a loop of it. */
export class Autoscaler {
  /** The preferred first. */
  private readonly views: View[];
  private readonly unneededSince = new Map<Instance, number>();
  private refreshAt = 0;
  private addedAt = -Infinity;

  constructor(
    private readonly settings: AutoscalerSettings,
    groups: ScalingGroup[],
    private readonly pods: Pods,
    private readonly world: World,
  ) {
    const priority = (group: ScalingGroup): number => settings.priorityOf(group.settings.name);
    this.views = [...groups]
      .sort((one, other) => priority(other) - priority(one))
      .map((group) => ({ group, size: 0, setAt: 0, placeholders: 0, unfulfillable: false, seen: 0 }));
  }

  step(now: number): void {
    if (now >= this.refreshAt) {
      this.views.forEach((view) => this.refresh(view));
      this.refreshAt = now + REFRESH_SECONDS;
    }
    for (const view of this.views) {
      this.followRequest(view, now);
      this.readErrors(view, now);
      this.dropPlaceholders(view, now);
    }
    this.add(now);
    this.remove(now);
  }

  private refresh(view: View): void {
    const { group, setAt } = view;
    view.size = group.desired;
    view.placeholders = Math.max(0, group.desired - group.instances.length);
    view.unfulfillable = view.placeholders > 0 && group.failedAt >= setAt;
  }

  /** Nodes that it takes to be on their way, whether they are or not. */
  private upcoming(view: View, now: number): number {
    return Math.max(0, view.size - this.pods.ready(view.group, now).length);
  }

  private followRequest(view: View, now: number): void {
    if (view.backoff && now > view.backoff.failedAt + this.settings.backoffResetSeconds) {
      view.backoff = undefined;
    }
    if (view.request && this.upcoming(view, now) === 0) {
      view.request = undefined;
      view.backoff = undefined;
    } else if (view.request && now > view.request.dueAt) {
      this.backOff(view, now);
      view.request = undefined;
    }
  }

  /** A failure counts against the group only where the autoscaler itself asked for more. */
  private readErrors(view: View, now: number): void {
    const failed = view.unfulfillable ? view.placeholders : 0;
    const unseen = failed - view.seen;
    view.seen = failed;
    if (unseen > 0 && view.request) {
      const increase = view.request.increase - unseen;
      view.request = increase > 0 ? { ...view.request, increase } : undefined;
      this.backOff(view, now);
    }
  }

  /** Takes back what was not to be had, down to the minimum; what is held above it stays, and counts as coming. */
  private dropPlaceholders(view: View, now: number): void {
    const dropped = Math.min(view.placeholders, view.size - view.group.minSize);
    if (view.unfulfillable && dropped > 0) {
      view.placeholders -= dropped;
      this.resize(view, view.size - dropped, now);
      this.refreshAt = now;
    }
  }

  private add(now: number): void {
    const { waiting } = this.pods;
    if (!waiting.some(({ createdAt }) => now >= createdAt + YOUNG_SECONDS)) {
      return;
    }
    const coming = this.views.reduce((sum, view) => sum + this.upcoming(view, now), 0);
    const needed = waiting.length - this.pods.free(now).length - coming;
    const [best] = this.views.filter((view) => this.canGrow(view, now));
    if (needed <= 0 || best === undefined) {
      return;
    }
    const increase = Math.min(needed, best.group.settings.maxSize - best.size);
    best.request = {
      increase: increase + (best.request?.increase ?? 0),
      dueAt: now + this.settings.provisionSeconds,
    };
    this.addedAt = now;
    this.resize(best, best.size + increase, now);
  }

  private canGrow(view: View, now: number): boolean {
    const stuck = this.world.autoscaler(now) === "without second tier" && view !== this.views[0];
    const backedOff = view.backoff !== undefined && now < view.backoff.until;
    return !stuck && !backedOff && view.size < view.group.settings.maxSize;
  }

  private remove(now: number): void {
    const idle = this.pods.free(now).slice(this.pods.waiting.length);
    for (const instance of [...this.unneededSince.keys()].filter((each) => !idle.includes(each))) {
      this.unneededSince.delete(instance);
    }
    idle.filter((each) => !this.unneededSince.has(each)).forEach((each) => this.unneededSince.set(each, now));
    if (now < this.addedAt + DELAY_AFTER_ADD_SECONDS) {
      return;
    }
    for (const [instance, since] of this.unneededSince) {
      const view = this.views.find(({ group }) => group === instance.group)!;
      const unneeded = instance.group.settings.unneededSeconds ?? this.settings.unneededSeconds;
      if (now >= since + unneeded && view.size > instance.group.minSize) {
        instance.group.remove(instance, now);
        view.size -= 1;
        this.refreshAt = now;
      }
    }
  }

  /** It doubles from one failure to the next, but for those while it lasts. */
  private backOff(view: View, now: number): void {
    const { initialBackoffSeconds, mostBackoffSeconds } = this.settings;
    const { backoff } = view;
    const seconds =
      backoff === undefined || now <= backoff.until
        ? initialBackoffSeconds
        : Math.min(2 * backoff.seconds, mostBackoffSeconds);
    view.backoff = { seconds, until: now + seconds, failedAt: now };
  }

  private resize(view: View, size: number, now: number): void {
    view.size = size;
    view.setAt = now;
    view.group.resize(size, now);
  }
}
