import { ClosedLoop, Moment } from "../closed-loop";

/** Seconds from a loss until every pod runs again. */
export function recovery(history: Moment[], loss: number): number {
  const first = history.find(({ at, podsWaiting }) => at >= loss && podsWaiting > 0);
  if (first === undefined) {
    throw new Error(`expected pods that wait after ${loss} s`);
  }
  return (history.find(({ at, podsWaiting }) => at > first.at && podsWaiting === 0)?.at ?? Infinity) - loss;
}

export function most(history: Moment[], what: keyof Moment): number {
  return Math.max(...history.map((moment) => moment[what]));
}

export function least(history: Moment[], what: keyof Moment): number {
  return Math.min(...history.map((moment) => moment[what]));
}

/** From an instant on, to another. */
export function between(history: Moment[], from: number, to = Infinity): Moment[] {
  return history.filter(({ at }) => at >= from && at < to);
}

/** Whether a size never falls. */
export function rises(history: Moment[], what: keyof Moment): boolean {
  return history.every((moment, index) => index === 0 || moment[what] >= history[index - 1]![what]);
}

/** Whether a size never rises. */
export function falls(history: Moment[], what: keyof Moment): boolean {
  return rises([...history].reverse(), what);
}

/** When the last instance that stood in is gone. */
export function lastGone(history: Moment[]): number {
  const index = history.map(({ fallbackThere }) => fallbackThere > 0).lastIndexOf(true);
  return history[index + 1]?.at ?? Infinity;
}

/** Minutes of all nodes that `count` counts. */
export function nodeMinutes(history: Moment[], count: (moment: Moment) => number): number {
  const seconds = history.reduce((sum, moment, index) => {
    return sum + count(moment) * ((history[index + 1]?.at ?? moment.at) - moment.at);
  }, 0);
  return Math.round(seconds / 60);
}

/** When a policy raised or lowered the fallback. */
export function timesOf({ events }: ClosedLoop, what: "raised" | "lowered"): number[] {
  return events.filter((event) => event.what === what).map(({ at }) => at);
}

/** From one instant to the next. */
export function gaps(times: number[]): number[] {
  return times.slice(1).map((at, index) => at - times[index]!);
}
