import { AutoscalingSchedule } from "@cdktf/provider-aws/lib/autoscaling-schedule";
import { TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { checkProperties } from "../../internal/choices";
import { shortHash } from "../../internal/names";
import { checkWhole } from "../../internal/numbers";
import { Problems, show } from "../../internal/problems";
import { ResourceOptions } from "../../internal/resource-options";
import { isTimeZone } from "../../internal/time-zone";
import { isKnown } from "../../internal/tokens";
import { NodeSchedule } from "../node-schedule";
import { Bounds } from "./bounds";
import { coincidence, parseCron, ZonedCron } from "./cron";

/** Most scheduled actions of one group (EC2 Auto Scaling quotas). */
const MOST_ACTIONS = 125;

/** What the provider takes for a size that stays as it is; one left out would be sent as 0. */
const UNCHANGED = -1;

const SIZES = ["minNodes", "maxNodes", "desiredNodes"] as const;

/** The type makes sure that none is missing. */
const PROPERTIES: { [property in keyof Required<NodeSchedule>]: true } = {
  cron: true,
  timezone: true,
  minNodes: true,
  maxNodes: true,
  desiredNodes: true,
};

/** What bounds the sizes that actions set. */
export interface ScheduleLimits extends Bounds {
  /** Instances of the reservation or block, where that was given. */
  readonly instanceCount?: number;
  /** Whether `maxNodes` is the most at all times, since other things were worked out by it. Left out: schedules may raise it. */
  readonly isFinal?: boolean;
}

interface Action extends ZonedCron {
  readonly sizes: NodeSchedule;
  readonly resource: AutoscalingSchedule;
}

/**
 * All scheduled actions of one group, so that there is one for each instant: Auto Scaling refuses a second one.
 *
 * Name and address follow cron and zone. A changed window is thus a new action, whose next run AWS works out afresh.
 */
export class ScheduledActions {
  private readonly actions = new Map<string, Action>();

  constructor(
    private readonly scope: Construct,
    private readonly autoscalingGroupName: string,
    private readonly group: TerraformResource,
    private readonly ownedBySchedules: string[],
    private readonly limits: ScheduleLimits,
    private readonly options: ResourceOptions,
  ) {
    scope.node.addValidation({ validate: () => this.contradictions() });
  }

  add(schedule: NodeSchedule): void {
    const problems = new Problems(this.scope);
    checkForm(schedule, problems);
    const zoned = checkTimes(schedule, problems);
    const wellFormed = checkSizes(schedule, problems);
    const key = `${schedule.cron}\n${schedule.timezone}`;
    const same = this.actions.get(key);
    const sizes = { ...same?.sizes, ...given(schedule) };
    if (wellFormed && checkAgreement(same?.sizes, schedule, problems)) {
      checkOrder(sizes, problems);
      this.checkReserved(schedule, problems);
      this.checkFinal(schedule, problems);
    }
    if (zoned && !same) {
      this.checkInstants(schedule, zoned, problems);
    }
    problems.throwIfAny();
    this.actions.set(key, this.merged(key, { ...(zoned as ZonedCron), sizes }, same));
    this.leaveSizesAlone();
  }

  private leaveSizesAlone(): void {
    const { lifecycle } = this.group;
    if (lifecycle?.ignoreChanges !== "all") {
      const ignoreChanges = [...new Set([...(lifecycle?.ignoreChanges ?? []), ...this.ownedBySchedules])];
      this.group.lifecycle = { ...lifecycle, ignoreChanges };
    }
  }

  private merged(key: string, action: Omit<Action, "resource">, same: Action | undefined): Action {
    const { cron, timezone, minNodes, maxNodes, desiredNodes } = action.sizes;
    const resource = same?.resource ?? this.make(key, cron, timezone);
    resource.minSize = minNodes ?? UNCHANGED;
    resource.maxSize = maxNodes ?? UNCHANGED;
    resource.desiredCapacity = desiredNodes ?? UNCHANGED;
    return { ...action, resource };
  }

  private make(key: string, recurrence: string, timeZone: string): AutoscalingSchedule {
    const hash = shortHash(key);
    return new AutoscalingSchedule(this.scope, `Schedule-${hash}`, {
      ...this.options,
      scheduledActionName: `schedule-${hash}`,
      autoscalingGroupName: this.autoscalingGroupName,
      recurrence,
      timeZone,
    });
  }

  private checkReserved(schedule: NodeSchedule, problems: Problems): void {
    const { instanceCount = Infinity } = this.limits;
    for (const size of SIZES) {
      const nodes = schedule[size];
      if (nodes !== undefined && isKnown([nodes, instanceCount]) && nodes > instanceCount) {
        problems.add(
          `schedule.${size}`,
          "must not be above the instances reserved, since nothing is launched outside of the reservation",
          `${nodes} of ${instanceCount}`,
          "Lower it, or schedule a second pool for the rest",
        );
      }
    }
  }

  private checkFinal({ maxNodes }: NodeSchedule, problems: Problems): void {
    const { isFinal, maxNodes: most } = this.limits;
    if (isFinal && maxNodes !== undefined && isKnown(maxNodes) && maxNodes > most) {
      problems.add(
        "schedule.maxNodes",
        "must not be above the pool's maxNodes, by which the fallback, the steps and the quotas are worked out",
        `${maxNodes} of ${most}`,
        "Raise the pool's maxNodes",
      );
    }
  }

  private checkInstants(schedule: NodeSchedule, zoned: ZonedCron, problems: Problems): void {
    if (this.actions.size >= MOST_ACTIONS) {
      problems.add(
        "addSchedule",
        `must be called for at most ${MOST_ACTIONS} times of one pool`,
        MOST_ACTIONS + 1,
        "Merge some with lists in cron",
      );
    }
    for (const other of this.actions.values()) {
      const time = coincidence(zoned, other);
      if (time !== undefined) {
        problems.addText(
          "schedule.cron",
          `must not fall due together with another of the pool, because Auto Scaling takes one action for an instant, got: ` +
            `${describe(schedule)} and ${describe(other.sizes)}, both at ${time}. Take the day out of one, or shift it by a minute`,
        );
      }
    }
  }

  /** A bound that is left unchanged may have been set by any of the others. */
  private contradictions(): string[] {
    const problems = new Problems(this.scope);
    const actions = [...this.actions.values()].map((action) => action.sizes);
    const possible = (size: "minNodes" | "maxNodes"): number[] =>
      [this.limits[size], ...actions.map((action) => action[size])].filter((value) => value !== undefined);
    const [mins, maxes] = [possible("minNodes"), possible("maxNodes")];
    for (const action of actions) {
      const { minNodes, desiredNodes, maxNodes } = action;
      const most = maxNodes === undefined ? maxes : [maxNodes];
      const least = minNodes === undefined ? mins : [minNodes];
      if (!isKnown([most, least, minNodes, desiredNodes])) {
        continue;
      }
      const wanted = Math.max(minNodes ?? 0, desiredNodes ?? 0);
      if (wanted > Math.max(...most)) {
        problems.addText(
          "schedule",
          `must not ask for more nodes than maxNodes allows at that time, got: ${wanted} of ${Math.max(...most)} at ${describe(action)}. Give maxNodes in the schedule, too`,
        );
      }
      if (maxNodes !== undefined && minNodes === undefined && maxNodes < Math.min(...least)) {
        problems.addText(
          "schedule",
          `must not lower maxNodes below the minNodes of that time, got: ${maxNodes} under ${Math.min(...least)} at ${describe(action)}. Give minNodes in the schedule, too`,
        );
      } else if (desiredNodes !== undefined && desiredNodes < Math.min(...least)) {
        problems.addText(
          "schedule",
          `must not ask for fewer nodes than the minNodes of that time, got: ${desiredNodes} under ${Math.min(...least)} at ${describe(action)}. Give minNodes in the schedule, too`,
        );
      }
    }
    return problems.lines;
  }
}

function given(schedule: NodeSchedule): NodeSchedule {
  return Object.fromEntries(
    Object.entries(schedule).filter(([, value]) => value !== undefined),
  ) as unknown as NodeSchedule;
}

function describe({ cron, timezone }: NodeSchedule): string {
  return `${show(cron)} ${timezone}`;
}

/** Throws where there is nothing to look at further. */
function checkForm(schedule: NodeSchedule, problems: Problems): void {
  if (schedule === null || typeof schedule !== "object" || Array.isArray(schedule)) {
    problems.add("addSchedule", "must be given a schedule", schedule, "Give cron, timezone and at least one size");
    problems.fail();
  }
  checkProperties(schedule, PROPERTIES, problems, "schedule.");
}

function checkTimes({ cron, timezone }: NodeSchedule, problems: Problems): ZonedCron | undefined {
  if (!isKnown([cron, timezone])) {
    problems.addText(
      "schedule",
      "must have a literal cron and timezone, because the action's address is made from them, got: a token. Write them out",
    );
    return undefined;
  }
  const parsed = parseCron(String(cron));
  if (typeof parsed === "string") {
    problems.addText("schedule.cron", `${parsed}. Such as "0 8 * * MON-FRI"`);
  }
  if (!isTimeZone(String(timezone))) {
    problems.add(
      "schedule.timezone",
      "must be the name of an IANA time zone, in its exact spelling",
      timezone,
      "Such as Europe/Berlin or UTC",
    );
    return undefined;
  }
  return typeof parsed === "string" ? undefined : { cron: parsed, timezone };
}

/** Whether each size is right by itself. */
function checkSizes(schedule: NodeSchedule, problems: Problems): boolean {
  const sizes = SIZES.filter((size) => schedule[size] !== undefined);
  if (sizes.length === 0) {
    problems.add(
      "schedule",
      "must change at least one of minNodes, maxNodes and desiredNodes",
      given(schedule),
      "Give the size that the clock is to change",
    );
  }
  const whole = sizes.map((size) =>
    checkWhole(`schedule.${size}`, schedule[size], 0, "Leave a size out to keep it", problems),
  );
  return !whole.includes(false);
}

/** All sizes of one time, whichever calls they came by. */
function checkOrder(sizes: NodeSchedule, problems: Problems): void {
  const { minNodes = 0, maxNodes = Infinity, desiredNodes } = sizes;
  const wanted = desiredNodes ?? minNodes;
  if (isKnown([minNodes, maxNodes, wanted]) && (minNodes > maxNodes || wanted < minNodes || wanted > maxNodes)) {
    const all = SIZES.filter((size) => sizes[size] !== undefined).map((size) => `${size} ${sizes[size]}`);
    problems.addText(
      "schedule",
      `must have minNodes, desiredNodes and maxNodes in that order, got: ${all.join(", ")}. Correct the sizes`,
    );
  }
}

/** Whether the call contradicts none of the same time. */
function checkAgreement(before: NodeSchedule | undefined, now: NodeSchedule, problems: Problems): boolean {
  const count = problems.count;
  for (const size of SIZES) {
    if (before?.[size] !== undefined && now[size] !== undefined && before[size] !== now[size]) {
      problems.add(
        `schedule.${size}`,
        `must have one value for one time, and is ${show(before[size])} at ${describe(before)} already`,
        now[size],
        "Say it in one place",
      );
    }
  }
  return problems.count === count;
}
