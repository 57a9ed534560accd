import { INodePool } from "../../cluster";
import { SPOT_NOTICE_SECONDS } from "../../cluster/drain-budget";
import { isKnown } from "../../internal/tokens";

/**
 * The handler's most (AWS Node Termination Handler, `sqsMsgVisibilityTimeoutSec`: 1 to 119). It takes a message's receipt when
 * a drain begins and deletes with it when the drain is over, which does nothing once the message was received again (SQS API
 * Reference, DeleteMessage): so the message stays hidden as long as a drain within a Spot notice lasts.
 */
const VISIBILITY_SECONDS = 119;

/** AWS Node Termination Handler, queue processor set-up. What is older is about instances that are gone. */
const LEAST_RETENTION_SECONDS = 300;

/** What a message that nobody deletes is kept beyond its last receive, so that it reaches the dead-letter queue first. */
const AFTER_LAST_RECEIVE_SECONDS = 60;

/** From the alarm to the moment when the oldest message vanishes. */
const ALARM_AHEAD_SECONDS = 120;

/** Of the handler's 10 workers each stays with one node until it is drained. */
const LEAST_WORKERS = 10;

/** More would wait for each other: the handler's Kubernetes client makes 5 requests a second (client-go, default QPS). */
const MOST_WORKERS = 50;

/** When messages are hidden, given up and missed. */
export interface QueueTimes {
  readonly visibilitySeconds: number;
  /** A message that was received this often and not deleted is a dead letter. */
  readonly mostReceives: number;
  readonly retentionSeconds: number;
  /** Only a message that nobody receives grows this old. */
  readonly alarmAgeSeconds: number;
}

/** Seconds of the longest drain of any pool; pods that no budget speaks of have the two minutes of a Spot notice. */
export function longestDrainSeconds(pools: INodePool[]): number {
  return Math.max(SPOT_NOTICE_SECONDS, ...pools.map((pool) => pool.drainBudget?.totalSeconds ?? 0));
}

/**
 * A drain within a Spot notice takes one receive, and a failed one is tried once more. A longer drain is received again while
 * it lasts, and once after, when the instance is gone and the message is deleted for that.
 */
export function queueTimes(drainSeconds: number): QueueTimes {
  // A drain that took its time to the last second was given up.
  const mostReceives = Math.floor((drainSeconds - 2) / VISIBILITY_SECONDS) + 2;
  const retentionSeconds = Math.max(
    LEAST_RETENTION_SECONDS,
    mostReceives * VISIBILITY_SECONDS + AFTER_LAST_RECEIVE_SECONDS,
  );
  return {
    visibilitySeconds: VISIBILITY_SECONDS,
    mostReceives,
    retentionSeconds,
    alarmAgeSeconds: retentionSeconds - ALARM_AHEAD_SECONDS,
  };
}

/** As many as the largest pool has nodes, which may all be reclaimed at once: who waits for a worker loses the notice. */
export function workersFor(pools: INodePool[]): number {
  const nodes = pools.filter((pool) => pool.isSelfManaged && isKnown(pool.maxNodes)).map((pool) => pool.maxNodes);
  return Math.min(MOST_WORKERS, Math.max(LEAST_WORKERS, ...nodes));
}
