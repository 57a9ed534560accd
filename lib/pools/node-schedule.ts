/**
 * A change of a group's sizes by the clock. At least one size is given; a size left out stays as it is.
 *
 * Sizes hold until another action changes them: what begins a window needs one that ends it, with the pool's own bounds.
 */
export interface NodeSchedule {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** Name of the IANA time zone that `cron` is read in, such as `Europe/Berlin`. Daylight saving time is followed. */
  readonly timezone: string;
  /** New minimum. Raising it starts nodes at once. Left out: unchanged. */
  readonly minNodes?: number;
  /** New maximum, of a SpotWithFallback at most the pool's own. Left out: unchanged. */
  readonly maxNodes?: number;
  /** Size to go to, once; the autoscaler goes on from there. Left out: unchanged, within the bounds. */
  readonly desiredNodes?: number;
}
