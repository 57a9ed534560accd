import { Instance, ScalingGroup } from "./scaling-group";
import { World } from "./world";

/** A pod that takes a whole node. */
interface Pod {
  /** Whether it only holds a node, and yields to every other. */
  readonly placeholder: boolean;
  readonly createdAt: number;
  node?: Instance;
}

/** The pods of one Deployment with the placeholders of the pool, and the scheduler. */
export class Pods {
  private pods: Pod[] = [];

  constructor(
    private readonly groups: ScalingGroup[],
    private readonly headroomNodes: number,
    private readonly world: World,
  ) {}

  /** Pods without a node, placeholders last. */
  get waiting(): Pod[] {
    return [...this.unplaced(false), ...this.unplaced(true)];
  }

  unplaced(placeholder: boolean): Pod[] {
    return this.pods.filter((pod) => pod.placeholder === placeholder && pod.node === undefined);
  }

  isBusy(instance: Instance): boolean {
    return this.pods.some(({ node }) => node === instance);
  }

  /** Nodes of a group that are ready, drained ones among them. */
  ready(group: ScalingGroup, now: number): Instance[] {
    return group.instances.filter(({ launchedAt }) => now >= launchedAt + this.world.bootSeconds);
  }

  /** Nodes that a pod could go to, in the order of the groups: the taint of the fallback makes it the last. */
  free(now: number): Instance[] {
    return this.groups.flatMap((group) =>
      this.ready(group, now).filter((instance) => !instance.drained && !this.isBusy(instance)),
    );
  }

  step(now: number): void {
    this.drain(now);
    this.replicate(false, this.world.pods(now), now);
    this.replicate(true, this.headroomNodes, now);
    const free = this.free(now);
    for (const pod of this.waiting) {
      pod.node = free.shift() ?? (pod.placeholder ? undefined : this.takeFromPlaceholder(now));
    }
  }

  /** Pods of a node that goes are replaced at once. */
  private drain(now: number): void {
    for (const instance of this.groups.flatMap(({ instances }) => instances)) {
      const since = Math.min(instance.noticeAt ?? Infinity, instance.terminatingAt ?? Infinity);
      instance.drained ||= now >= since + this.world.detectionSeconds;
    }
    this.pods = this.pods.map((pod) => (pod.node?.drained ? { placeholder: pod.placeholder, createdAt: now } : pod));
  }

  /** What is too much goes from the waiting ones first. */
  private replicate(placeholder: boolean, wanted: number, now: number): void {
    const others = this.pods.filter((pod) => pod.placeholder !== placeholder);
    const placed = this.pods.filter((pod) => pod.placeholder === placeholder && pod.node !== undefined);
    const own = [...placed, ...this.unplaced(placeholder)].slice(0, wanted);
    const added = Array.from({ length: wanted - own.length }, () => ({ placeholder, createdAt: now }));
    this.pods = [...others, ...own, ...added];
  }

  private takeFromPlaceholder(now: number): Instance | undefined {
    const index = this.pods.findIndex(({ placeholder, node }) => placeholder && node !== undefined);
    if (index < 0) {
      return undefined;
    }
    const [{ node }] = this.pods.splice(index, 1, { placeholder: true, createdAt: now }) as [Pod];
    return node;
  }
}
