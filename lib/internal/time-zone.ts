let canonical: Set<string> | undefined;

/** Names that are neither in the list of canonical zones nor of the form that the others have. */
const SHORT_NAMES = ["UTC", "GMT", "Etc/UTC", "Etc/GMT"];

/** An alias as the IANA database spells them: America/Port-au-Prince, US/Eastern, Asia/Kolkata. */
const ALIAS = /^(US|[A-Z][a-z]+)(?:[/_-](?:[A-Z][A-Za-z]*|of|au|es))+$/;

/**
 * Whether a text names a zone of the IANA database, in its exact spelling.
 *
 * `Intl` alone is too lax: it takes any case and offsets such as +02:00, while services look for a file of that name.
 */
export function isTimeZone(name: string): boolean {
  canonical ??= new Set(Intl.supportedValuesOf("timeZone"));
  if (canonical.has(name) || SHORT_NAMES.includes(name)) {
    return true;
  }
  const differsInCase = [...canonical].some((zone) => zone.toLowerCase() === name.toLowerCase());
  return !differsInCase && ALIAS.test(name) && isTakenByIntl(name);
}

function isTakenByIntl(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A clock of one zone. Dates are wall-clock times written as if they were UTC. */
export class ZoneClock {
  private readonly format: Intl.DateTimeFormat;

  constructor(readonly timezone: string) {
    this.format = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
  }

  /** What the clock shows at an instant. */
  wallTime(instant: Date): Date {
    const part: { [type: string]: number } = {};
    for (const { type, value } of this.format.formatToParts(instant)) {
      part[type] = Number(value);
    }
    return new Date(Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute));
  }

  /** The instant at which the clock shows a time; around a change of the clocks, one of those nearest to it. */
  instant(wall: Date): Date {
    const offsetAt = (guess: Date): number => this.wallTime(guess).getTime() - guess.getTime();
    const first = new Date(wall.getTime() - offsetAt(wall));
    return new Date(wall.getTime() - offsetAt(first));
  }
}
