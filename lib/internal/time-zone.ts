let canonical: Set<string> | undefined;

/** Names of the IANA database with digits in them. */
const NUMBERED = /^(?:EST5EDT|CST6CDT|MST7MDT|PST8PDT|GMT[+-]?0|Etc\/GMT(?:[+-]?0|[+-][1-9]\d?))$/;

/**
 * Its names of one word, all kept for older programs. `Intl` knows others of the kind, such as JST, that no file has.
 */
const WORDS = new Set(
  (
    "CET Cuba EET EST Egypt Eire GB GB-Eire GMT Greenwich HST Hongkong Iceland Iran Israel Jamaica Japan Kwajalein " +
    "Libya MET MST NZ NZ-CHAT Navajo PRC Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu Etc/GMT"
  ).split(" "),
);

/** Other aliases as it spells them: US/Eastern, Asia/Kolkata, America/Argentina/Buenos_Aires. */
const ALIAS = /^(?:US|(?!Us)[A-Z][a-z]+)(?:[/_-](?:(?:[A-Z][a-z]+)+|[A-Z]{2,3}|of|au|es))+$/;

/**
 * Whether a text names a zone of the IANA database, in its exact spelling.
 *
 * `Intl` alone is too lax: it takes any case and offsets such as +02:00, while services look for a file of that name.
 */
export function isTimeZone(name: string): boolean {
  canonical ??= new Set(Intl.supportedValuesOf("timeZone"));
  if (canonical.has(name)) {
    return true;
  }
  const differsInCase = [...canonical].some((zone) => zone.toLowerCase() === name.toLowerCase());
  const spelled = WORDS.has(name) || NUMBERED.test(name) || ALIAS.test(name);
  return !differsInCase && spelled && isTakenByIntl(name);
}

function isTakenByIntl(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** From when on a zone's clock is how far ahead of UTC. */
export interface ZoneOffset {
  /** Minutes since 1970 in UTC. */
  readonly from: number;
  /** Minutes ahead of UTC. */
  readonly offset: number;
}

const MINUTES_A_WEEK = 7 * 1440;

const knownOffsets = new Map<string, ZoneOffset[]>();

/** How a zone's clock stands to UTC between two instants, in minutes since 1970: the first entry holds from `start` on. */
export function offsetsOf(timezone: string, start: number, end: number): ZoneOffset[] {
  const key = `${timezone} ${start} ${end}`;
  const offsets = knownOffsets.get(key) ?? findOffsets(timezone, start, end);
  knownOffsets.set(key, offsets);
  return offsets;
}

/** Clocks are changed for weeks at least, so that a look at each week finds every change. */
function findOffsets(timezone: string, start: number, end: number): ZoneOffset[] {
  const offsetAt = offsetReader(timezone);
  const offsets = [{ from: start, offset: offsetAt(start) }];
  for (let week = start; week < end; week += MINUTES_A_WEEK) {
    const offset = offsetAt(week + MINUTES_A_WEEK);
    if (offset !== offsets[offsets.length - 1].offset) {
      let [before, from] = [week, week + MINUTES_A_WEEK];
      while (from - before > 1) {
        const middle = Math.floor((before + from) / 2);
        [before, from] = offsetAt(middle) === offset ? [before, middle] : [middle, from];
      }
      offsets.push({ from, offset });
    }
  }
  return offsets.filter(({ from }) => from < end);
}

function offsetReader(timezone: string): (minute: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  return (minute) => {
    const part: { [type: string]: number } = {};
    for (const { type, value } of format.formatToParts(minute * 60_000)) {
      part[type] = Number(value);
    }
    return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute) / 60_000 - minute;
  };
}
