import { checkOptions, MakerOptions } from "../accelerators/maker-options";
import { isMarked, mark } from "../internal/choices";
import { literalProblems } from "../internal/literals";

/** From the notice to the end of the instance (EC2 User Guide, Spot Instance interruption notices: two minutes). */
export const SPOT_NOTICE_SECONDS = 120;

/** The most that a hook's heartbeat timeout may be (EC2 Auto Scaling API Reference, PutLifecycleHook: 30 to 7200). */
const LONGEST_HEARTBEAT_SECONDS = 7200;
/** What the AWS Node Termination Handler's README gives its hook: also pods without a budget find time in it. */
const LEAST_HEARTBEAT_SECONDS = 300;

/** Elastic Load Balancing, target group attributes: 0 to 3600. */
const LONGEST_DEREGISTRATION_SECONDS = 3600;

/** Times of a drain that no load balancer takes part in. Whole seconds, written out. */
export interface TrainingDrainTimes {
  /**
   * From the notice to the moment when pods are told to stop: EventBridge, the queue, the termination handler, the
   * eviction. Left out: 10, an allowance, since AWS states no bound.
   */
  readonly detectionSeconds?: number;
  /**
   * From SIGTERM to SIGKILL: what people mean by the time that a pod has to finish. At least 1. Left out: 90;
   * 40 with `tightTraining()`.
   */
  readonly afterSigtermSeconds?: number;
  /** What nothing is planned for, at the end. Left out: 5. */
  readonly marginSeconds?: number;
}

/** Times of a drain of pods behind a load balancer. Whole seconds, written out. */
export interface DrainTimes extends TrainingDrainTimes {
  /**
   * How long the preStop hook sleeps while the pod still serves, so that the load balancer stops sending before SIGTERM.
   * Left out: as long as `deregistrationSeconds` where that is given, otherwise 15. 0: no hook.
   */
  readonly preStopSeconds?: number;
  /**
   * How long the target group lets requests in flight end once the pod is taken out (Elastic Load Balancing,
   * deregistration delay): 0 to 3600, where AWS's default is 300. It runs beside the preStop hook, so it adds nothing to
   * the sum and may not be longer. Left out: 15, or `preStopSeconds` where that is shorter.
   */
  readonly deregistrationSeconds?: number;
}

const OF_TRAINING: MakerOptions<TrainingDrainTimes> = {
  detectionSeconds: "optional",
  afterSigtermSeconds: "optional",
  marginSeconds: "optional",
};
const OF_INFERENCE: MakerOptions<DrainTimes> = {
  ...OF_TRAINING,
  preStopSeconds: "optional",
  deregistrationSeconds: "optional",
};

const DETECTION_SECONDS = 10;
const DEREGISTRATION_SECONDS = 15;
const AFTER_SIGTERM_SECONDS = 90;
const TIGHT_AFTER_SIGTERM_SECONDS = 40;
const MARGIN_SECONDS = 5;

const MARKER = Symbol.for("cdktf-elastic-gpu/DrainBudget");

/**
 * What becomes of the seconds between the notice that a node goes away and its end.
 *
 * It is arithmetic alone: pods have to be given `terminationGracePeriodSeconds` and a preStop hook of `preStopSeconds`, and
 * target groups `targetGroupAttributes`. A pool that may be reclaimed refuses a budget longer than its notice. Evictions
 * that a PodDisruptionBudget holds up spend the same seconds.
 *
 * Makers throw where a time is no whole number, where the deregistration outlasts the preStop hook, and where all times
 * together are over 7200 s, the longest heartbeat timeout of a lifecycle hook.
 */
export class DrainBudget {
  /** Servers: 15 s until the load balancer has stopped sending, then 90 s for requests that run. 120 s in all. */
  static inference(times: DrainTimes = {}): DrainBudget {
    const maker = "DrainBudget.inference";
    checkOptions(maker, times, OF_INFERENCE);
    checkTimes(maker, times);
    const { preStopSeconds = times.deregistrationSeconds ?? DEREGISTRATION_SECONDS } = times;
    const { deregistrationSeconds = Math.min(DEREGISTRATION_SECONDS, preStopSeconds) } = times;
    return made(maker, new DrainBudget(times, AFTER_SIGTERM_SECONDS, preStopSeconds, deregistrationSeconds));
  }

  /** Jobs that finish a checkpoint on local disks, upload it and leave: 90 s from SIGTERM on. 105 s in all. */
  static training(times: TrainingDrainTimes = {}): DrainBudget {
    return DrainBudget.withoutBalancer("DrainBudget.training", times, AFTER_SIGTERM_SECONDS);
  }

  /** Jobs with small checkpoints, which are gone long before a notice is over: 40 s from SIGTERM on. 55 s in all. */
  static tightTraining(times: TrainingDrainTimes = {}): DrainBudget {
    return DrainBudget.withoutBalancer("DrainBudget.tightTraining", times, TIGHT_AFTER_SIGTERM_SECONDS);
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isDrainBudget(x: any): x is DrainBudget {
    return isMarked(x, MARKER);
  }

  private static withoutBalancer(maker: string, times: TrainingDrainTimes, afterSigterm: number): DrainBudget {
    checkOptions(maker, times, OF_TRAINING);
    checkTimes(maker, times);
    return made(maker, new DrainBudget(times, afterSigterm, 0, 0));
  }

  /** From the notice to the moment when pods are told to stop. */
  readonly detectionSeconds: number;
  /** What a pod has from SIGTERM to SIGKILL. */
  readonly afterSigtermSeconds: number;
  /** What nothing is planned for. */
  readonly marginSeconds: number;

  private constructor(
    times: TrainingDrainTimes,
    afterSigtermSeconds: number,
    /** How long the preStop hook of a pod sleeps. 0: no hook is needed. */
    readonly preStopSeconds: number,
    /** The target group's deregistration delay, which runs beside the preStop hook. 0 where no load balancer takes part. */
    readonly deregistrationSeconds: number,
  ) {
    mark(this, MARKER);
    this.detectionSeconds = times.detectionSeconds ?? DETECTION_SECONDS;
    this.afterSigtermSeconds = times.afterSigtermSeconds ?? afterSigtermSeconds;
    this.marginSeconds = times.marginSeconds ?? MARGIN_SECONDS;
  }

  /**
   * What a pod's spec needs: preStop and the time after SIGTERM together, since the grace period runs from before the hook
   * (Kubernetes, Container Lifecycle Hooks).
   */
  get terminationGracePeriodSeconds(): number {
    return this.preStopSeconds + this.afterSigtermSeconds;
  }

  /** From the notice to the last second of the margin. */
  get totalSeconds(): number {
    return this.detectionSeconds + this.terminationGracePeriodSeconds + this.marginSeconds;
  }

  /**
   * Heartbeat timeout of the hook that holds a terminating instance of an Auto Scaling group: `totalSeconds`, at least 300,
   * so that pods without a budget find time in it as well.
   */
  get heartbeatSeconds(): number {
    return Math.max(LEAST_HEARTBEAT_SECONDS, this.totalSeconds);
  }

  /**
   * Value of the annotation `alb.ingress.kubernetes.io/target-group-attributes` of an Ingress, and of
   * `service.beta.kubernetes.io/aws-load-balancer-target-group-attributes` of a Service.
   */
  get targetGroupAttributes(): string {
    return `deregistration_delay.timeout_seconds=${this.deregistrationSeconds}`;
  }

  /** How `totalSeconds` comes about, such as "10 s until it is noticed + 90 s after SIGTERM + 5 s margin = 105 s". */
  get sum(): string {
    const parts: [number, string][] = [
      [this.detectionSeconds, "until it is noticed"],
      [this.preStopSeconds, "preStop"],
      [this.afterSigtermSeconds, "after SIGTERM"],
      [this.marginSeconds, "margin"],
    ];
    const summands = parts.filter(([seconds]) => seconds > 0).map(([seconds, what]) => `${seconds} s ${what}`);
    return `${summands.join(" + ")} = ${this.totalSeconds} s`;
  }

  /**
   * Why it cannot be kept within so many seconds of notice, to be read on from the property's name; undefined if it can.
   * @internal
   */
  _problemFor(noticeSeconds: number): string | undefined {
    const excess = this.totalSeconds - noticeSeconds;
    return excess <= 0
      ? undefined
      : `must fit the ${noticeSeconds} s of a Spot notice, got: ${this.sum}, ${excess} s too long. ` +
          `${this.shortening(excess)}, or run these pods on a pool without Spot`;
  }

  /** Which single time makes up for it, with its new value. */
  private shortening(excess: number): string {
    const afterSigterm = this.afterSigtermSeconds - excess;
    const preStop = this.preStopSeconds - excess;
    const both = preStop < this.deregistrationSeconds ? " and deregistrationSeconds" : "";
    const ways = [
      ...(afterSigterm >= 1 ? [`afterSigtermSeconds to ${afterSigterm}`] : []),
      ...(preStop >= 0 ? [`preStopSeconds${both} to ${preStop}`] : []),
    ];
    return `Shorten ${ways.length > 0 ? ways.join(", or ") : "several of these times"}`;
  }
}

/** Holds what was given against the bounds; what is left out is within them. */
function checkTimes(maker: string, times: DrainTimes): void {
  const problemsOf = (name: keyof DrainTimes, least: number, most?: number): string[] =>
    times[name] === undefined
      ? []
      : literalProblems(maker, name, times[name], least, "Give the seconds as a number", most);

  const { preStopSeconds, deregistrationSeconds } = times;
  const beside = [
    ...problemsOf("preStopSeconds", 0),
    ...problemsOf("deregistrationSeconds", 0, LONGEST_DEREGISTRATION_SECONDS),
  ];
  const outlasting =
    beside.length === 0 && preStopSeconds !== undefined && (deregistrationSeconds ?? 0) > preStopSeconds
      ? [
          `${maker}(): deregistrationSeconds must be over when SIGTERM comes, at most preStopSeconds, ` +
            `got: ${deregistrationSeconds} s beside ${preStopSeconds} s of preStop. ` +
            `Leave preStopSeconds out, and it is ${deregistrationSeconds}`,
        ]
      : [];
  const problems = [
    ...problemsOf("detectionSeconds", 0),
    ...beside,
    ...outlasting,
    ...problemsOf("afterSigtermSeconds", 1),
    ...problemsOf("marginSeconds", 0),
  ];
  if (problems.length > 0) {
    throw new Error(problems.join("\n"));
  }
}

function made(maker: string, budget: DrainBudget): DrainBudget {
  if (budget.totalSeconds > LONGEST_HEARTBEAT_SECONDS) {
    throw new Error(
      `${maker}(): all times must be over in ${LONGEST_HEARTBEAT_SECONDS} s, the longest that a lifecycle hook waits ` +
        `without a heartbeat, got: ${budget.sum}. Shorten them`,
    );
  }
  return budget;
}
