import { AutoscalingPolicyStepAdjustment } from "@cdktf/provider-aws/lib/autoscaling-policy";

/** Most steps of a policy (EC2 Auto Scaling quotas). */
const MOST_STEPS = 20;

/** Numbers that have a step each where there are more numbers than steps: what is above them comes in a few rounds. */
const EXACT_STEPS = 10;

/**
 * Steps by which a group grows as far as nodes are missing, of an alarm at 1 that tells their number.
 *
 * Where there are more numbers than steps, each step adds the least of its numbers: what is left brings the alarm up again,
 * while what is too much would be paid for. The steps grow by one factor, so that a large number is reached in few rounds.
 */
export function raisingSteps(maxNodes: number): AutoscalingPolicyStepAdjustment[] {
  const starts = startsUpTo(maxNodes);
  return starts.map((start, index) => ({
    scalingAdjustment: start,
    // Bounds count from the alarm's threshold.
    metricIntervalLowerBound: String(start - 1),
    metricIntervalUpperBound: index === starts.length - 1 ? undefined : String(starts[index + 1] - 1),
  }));
}

/** The numbers with which steps begin, from 1 to the most. */
function startsUpTo(most: number): number[] {
  const exact = most <= MOST_STEPS ? most : EXACT_STEPS;
  const starts = Array.from({ length: exact }, (_, index) => index + 1);
  const further = most <= MOST_STEPS ? 0 : MOST_STEPS - exact;
  for (let step = 1; step <= further; step += 1) {
    const start = Math.round(exact * (most / exact) ** (step / further));
    starts.push(Math.max(starts[starts.length - 1] + 1, start));
  }
  return starts;
}
