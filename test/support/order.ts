import { Step } from "./terraform";

/** What must not be there without something else: neither as stacks are made, nor as they are removed. */
export interface Need {
  readonly who: string;
  readonly what: string;
  /** By the addresses of their resources. */
  readonly from: RegExp;
  readonly to: RegExp;
}

/** Pairs of a step that makes something and the one that makes what it needs, where the second did not come first. */
export function madeTooEarly(steps: Step[], need: Need): string[] {
  return wrongPairs(steps, need, (one, needed) => one.began < needed.ended);
}

/** The same of steps that remove, where the second did not come last. */
export function removedTooLate(steps: Step[], need: Need): string[] {
  return wrongPairs(steps, need, (one, needed) => needed.began < one.ended);
}

function wrongPairs(steps: Step[], { from, to }: Need, isWrong: (one: Step, needed: Step) => boolean): string[] {
  const matching = (pattern: RegExp) => steps.filter(({ address }) => pattern.test(address));
  const all = matching(from).flatMap((one) => matching(to).map((other) => [one, other] as const));
  expect(all).not.toEqual([]);
  return all.filter(([one, other]) => isWrong(one, other)).map(([one, other]) => `${one.address}, ${other.address}`);
}
