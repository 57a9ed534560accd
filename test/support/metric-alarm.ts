import { evaluateQueries, MetricSource } from "./metric-math";
import { Json } from "./synth";

export type AlarmState = "OK" | "ALARM" | "INSUFFICIENT_DATA";

/** What one evaluation of an alarm came to. */
export interface AlarmEvaluation {
  readonly state: AlarmState;
  /** The most recent data point, by which a step policy picks its step. */
  readonly value: number | undefined;
}

/**
 * Data points that are looked at beyond the evaluation periods. CloudWatch says that it takes more than those and that the number
 * depends; its own example takes five for three (Amazon CloudWatch User Guide, Configuring how alarms treat missing data).
 */
const FURTHER_POINTS = 2;

const COMPARISONS: { readonly [operator: string]: (value: number, threshold: number) => boolean } = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  GreaterThanThreshold: (value, threshold) => value > threshold,
  LessThanOrEqualToThreshold: (value, threshold) => value <= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/** A synthesized `aws_cloudwatch_metric_alarm` on metric queries. */
export class MetricAlarm {
  private readonly periods: number;
  private readonly breachesToAlarm: number;

  constructor(private readonly alarm: Json) {
    this.periods = alarm.evaluation_periods;
    this.breachesToAlarm = alarm.datapoints_to_alarm ?? alarm.evaluation_periods;
    if (!Object.hasOwn(COMPARISONS, alarm.comparison_operator)) {
      throw new Error(`no comparison operator ${alarm.comparison_operator} is known`);
    }
  }

  /** The state after a minute has passed, from `before` on, with the data points that have arrived by then. */
  evaluate(minute: number, source: MetricSource, before: AlarmState): AlarmEvaluation {
    const from = minute - this.periods - FURTHER_POINTS + 1;
    const series = evaluateQueries(this.alarm.metric_query, source, { from, to: minute });
    const points: (number | undefined)[] = [];
    for (let each = from; each <= minute; each++) {
      points.push(series.get(each));
    }
    return { state: this.stateOf(points, before), value: points.filter((point) => point !== undefined).pop() };
  }

  /** The state that data points lead to, the oldest first; missing ones are undefined. */
  stateOf(points: (number | undefined)[], before: AlarmState): AlarmState {
    const breaching = points.map((point) => point !== undefined && this.breaches(point));
    const existing = points.filter((point) => point !== undefined).slice(-this.periods);
    const breaches = existing.filter((point) => this.breaches(point)).length;
    const lacking = this.periods - existing.length;
    const treatment = this.alarm.treat_missing_data ?? "missing";
    if (breaches >= this.breachesToAlarm) {
      return "ALARM";
    }
    if (lacking === 0 || treatment === "notBreaching") {
      return "OK";
    }
    if (treatment === "breaching") {
      return breaches + lacking >= this.breachesToAlarm ? "ALARM" : "OK";
    }
    if (breaches < existing.length) {
      return "OK";
    }
    if (treatment === "ignore") {
      return before;
    }
    const age = points.length - breaching.indexOf(true);
    return breaches > 0 && age >= this.breachesToAlarm ? "ALARM" : "INSUFFICIENT_DATA";
  }

  private breaches(value: number): boolean {
    return COMPARISONS[this.alarm.comparison_operator]!(value, this.alarm.threshold);
  }
}
