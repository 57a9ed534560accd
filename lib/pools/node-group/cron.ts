import { ZoneClock } from "../../internal/time-zone";

/** Cron as EC2 Auto Scaling reads it: five fields, lists, ranges, steps, names of months and days, 7 for Sunday. */
export interface Cron {
  readonly minutes: Set<number>;
  readonly hours: Set<number>;
  readonly days: Set<number>;
  readonly months: Set<number>;
  readonly weekdays: Set<number>;
  /** Whether days and weekdays are both restricted, when either is enough. */
  readonly eitherDay: boolean;
}

interface Field {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly names?: string[];
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const FIELDS: Field[] = [
  { name: "minute", low: 0, high: 59 },
  { name: "hour", low: 0, high: 23 },
  { name: "day of the month", low: 1, high: 31 },
  { name: "month", low: 1, high: 12, names: MONTHS },
  { name: "day of the week", low: 0, high: 7, names: WEEKDAYS },
];

/** Days that are looked at for a match: with leap years in it, every date there is. */
const FOUR_YEARS = 4 * 366;

/** The parsed expression, or what is wrong with it. */
export function parseCron(text: string): Cron | string {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== FIELDS.length) {
    return `must have five fields (minute, hour, day of the month, month, day of the week), got: ${JSON.stringify(text)} with ${fields.length}`;
  }
  const sets = fields.map((field, index) => parseField(field, FIELDS[index]));
  const wrong = sets.find((set) => typeof set === "string");
  if (typeof wrong === "string") {
    return `${wrong}, got: ${JSON.stringify(text)}`;
  }
  const [minutes, hours, days, months, weekdays] = sets as Set<number>[];
  const cron = {
    minutes,
    hours,
    days,
    months,
    weekdays: new Set([...weekdays].map((day) => day % 7)),
    eitherDay: fields[2] !== "*" && fields[4] !== "*",
  };
  return matchingDays(cron, FOUR_YEARS).length > 0
    ? cron
    : `must match a day that exists, got: ${JSON.stringify(text)}`;
}

function parseField(text: string, field: Field): Set<number> | string {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const match = /^(\*|[A-Za-z0-9]+(?:-[A-Za-z0-9]+)?)(?:\/(\d+))?$/.exec(part);
    const step = Number(match?.[2] ?? 1);
    const [first, last] = match ? bounds(match[1], field, match[2] !== undefined) : [NaN, NaN];
    if (!match || step < 1 || Number.isNaN(first) || Number.isNaN(last) || first > last) {
      return `must have a ${field.name} from ${field.low} to ${field.high}, as a number, a list, a range that runs forwards, or a step`;
    }
    for (let value = first; value <= last; value += step) {
      values.add(value);
    }
  }
  return values;
}

function bounds(body: string, field: Field, stepped: boolean): [number, number] {
  if (body === "*") {
    return [field.low, field.high];
  }
  const [first, last] = body.split("-").map((end) => numberOf(end, field));
  return [first, last ?? (stepped ? field.high : first)];
}

function numberOf(text: string, { low, high, names }: Field): number {
  const named = names?.indexOf(text.toUpperCase()) ?? -1;
  const value = named >= 0 ? named + (names === MONTHS ? 1 : 0) : /^\d+$/.test(text) ? Number(text) : NaN;
  return value >= low && value <= high ? value : NaN;
}

function matchingDays(cron: Cron, span: number): Date[] {
  const start = Date.UTC(2028, 0, 1);
  const days = Array.from({ length: span }, (_, index) => new Date(start + index * 86_400_000));
  return days.filter((day) => matchesDay(cron, day));
}

function matchesDay(cron: Cron, day: Date): boolean {
  const byDay = cron.days.has(day.getUTCDate());
  const byWeekday = cron.weekdays.has(day.getUTCDay());
  return cron.months.has(day.getUTCMonth() + 1) && (cron.eitherDay ? byDay || byWeekday : byDay && byWeekday);
}

/** A cron expression and the zone it is read in. */
export interface ZonedCron {
  readonly cron: Cron;
  readonly timezone: string;
}

/** A date and time, on the clock of the first, at which both fall due; undefined where there is none. */
export function coincidence(first: ZonedCron, second: ZonedCron): string | undefined {
  const common = first.timezone === second.timezone ? inOneZone(first.cron, second.cron) : acrossZones(first, second);
  return common && print(common);
}

function inOneZone(a: Cron, b: Cron): Date | undefined {
  const both = (left: Set<number>, right: Set<number>): number | undefined =>
    [...left].find((value) => right.has(value));
  const minute = both(a.minutes, b.minutes);
  const hour = both(a.hours, b.hours);
  if (minute === undefined || hour === undefined) {
    return undefined;
  }
  const day = matchingDays(a, FOUR_YEARS).find((date) => matchesDay(b, date));
  return day && atTime(day, hour, minute);
}

/** A year is enough: clocks differ by what the zones do in one, and days of the week come round in it. */
function acrossZones(first: ZonedCron, second: ZonedCron): Date | undefined {
  const clocks = [new ZoneClock(first.timezone), new ZoneClock(second.timezone)];
  for (const day of matchingDays(first.cron, 366)) {
    for (const hour of first.cron.hours) {
      for (const minute of first.cron.minutes) {
        const wall = atTime(day, hour, minute);
        if (matches(second.cron, clocks[1].wallTime(clocks[0].instant(wall)))) {
          return wall;
        }
      }
    }
  }
  return undefined;
}

function matches(cron: Cron, wall: Date): boolean {
  return matchesDay(cron, wall) && cron.hours.has(wall.getUTCHours()) && cron.minutes.has(wall.getUTCMinutes());
}

function atTime(day: Date, hour: number, minute: number): Date {
  return new Date(day.getTime() + (hour * 60 + minute) * 60_000);
}

function print(time: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const titled = (name: string): string => name[0] + name.slice(1).toLowerCase();
  const date = `${time.getUTCDate()} ${titled(MONTHS[time.getUTCMonth()])}`;
  return `${titled(WEEKDAYS[time.getUTCDay()])} ${date}, ${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`;
}
