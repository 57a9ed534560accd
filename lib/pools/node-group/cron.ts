import { offsetsOf } from "../../internal/time-zone";

/** Cron as EC2 Auto Scaling reads it: five fields, lists, ranges, steps, names of months and days, 7 for Sunday. */
export interface Cron {
  /** Minutes of the day, ascending. */
  readonly times: number[];
  /** Which days of the calendar match. */
  readonly days: boolean[];
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

const MINUTES_A_DAY = 1440;
const FIRST_DAY = Date.UTC(2028, 0, 1) / 60_000 / MINUTES_A_DAY;

/** After 28 years dates fall on the same days of the week again: every combination of the two is among these days. */
const DAYS = 28 * 365 + 7;

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
  const [minutes, hours, dates, months, weekdays] = sets as Set<number>[];
  const ascending = (values: Set<number>): number[] => [...values].sort((a, b) => a - b);
  // Where both are restricted, either is enough.
  const either = fields[2] !== "*" && fields[4] !== "*";
  const days = calendar().map(({ date, month, weekday }) => {
    const byDate = dates.has(date);
    const byWeekday = weekdays.has(weekday) || (weekday === 0 && weekdays.has(7));
    return months.has(month) && (either ? byDate || byWeekday : byDate && byWeekday);
  });
  return days.includes(true)
    ? { times: ascending(hours).flatMap((hour) => ascending(minutes).map((minute) => hour * 60 + minute)), days }
    : `must match a day that exists, got: ${JSON.stringify(text)}`;
}

interface CalendarDay {
  readonly date: number;
  readonly month: number;
  readonly weekday: number;
}

let calendarDays: CalendarDay[] | undefined;

function calendar(): CalendarDay[] {
  calendarDays ??= Array.from({ length: DAYS }, (_, index) => {
    const day = new Date((FIRST_DAY + index) * MINUTES_A_DAY * 60_000);
    return { date: day.getUTCDate(), month: day.getUTCMonth() + 1, weekday: day.getUTCDay() };
  });
  return calendarDays;
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

/** A cron expression and the zone it is read in. */
export interface ZonedCron {
  readonly cron: Cron;
  readonly timezone: string;
}

/** A date and time, on the clock of the first, at which both fall due; undefined where there is none. */
export function coincidence(first: ZonedCron, second: ZonedCron): string | undefined {
  const { days } = first.cron;
  const known = new Map<number, Meetings>();
  for (const { start, end, ahead } of periods(first.timezone, second.timezone)) {
    const meetings = known.get(ahead) ?? meetingTimes(first.cron, second.cron, ahead);
    known.set(ahead, meetings);
    let day = meetings.size > 0 ? days.indexOf(true, Math.max(0, Math.floor(start / MINUTES_A_DAY))) : -1;
    for (; day >= 0 && day * MINUTES_A_DAY < end; day = days.indexOf(true, day + 1)) {
      for (const [shift, times] of meetings) {
        const time = second.cron.days[day + shift] ? times.find((time) => within(start, day, time, end)) : undefined;
        if (time !== undefined) {
          return print(day, time);
        }
      }
    }
  }
  return undefined;
}

/** Times of the first at which the second falls due as well, by the days that the clock of the second is ahead. */
type Meetings = Map<number, number[]>;

function meetingTimes(first: Cron, second: Cron, ahead: number): Meetings {
  const due = new Set(second.times);
  const meetings: Meetings = new Map();
  for (const time of first.times) {
    const shift = Math.floor((time + ahead) / MINUTES_A_DAY);
    if (due.has(time + ahead - shift * MINUTES_A_DAY)) {
      meetings.set(shift, [...(meetings.get(shift) ?? []), time]);
    }
  }
  return meetings;
}

/** While the clocks of both zones differ by the same: in minutes of the first clock since the calendar begins. */
interface Period {
  readonly start: number;
  readonly end: number;
  /** Minutes that the second clock is ahead of the first. */
  readonly ahead: number;
}

const knownPeriods = new Map<string, Period[]>();

function periods(firstZone: string, secondZone: string): Period[] {
  const key = `${firstZone} ${secondZone}`;
  const found = knownPeriods.get(key) ?? findPeriods(firstZone, secondZone);
  knownPeriods.set(key, found);
  return found;
}

function findPeriods(firstZone: string, secondZone: string): Period[] {
  if (firstZone === secondZone) {
    return [{ start: 0, end: DAYS * MINUTES_A_DAY, ahead: 0 }];
  }
  const begin = FIRST_DAY * MINUTES_A_DAY;
  const end = begin + DAYS * MINUTES_A_DAY;
  const [first, second] = [firstZone, secondZone].map((zone) => offsetsOf(zone, begin, end));
  const changes = [...new Set([...first, ...second].map(({ from }) => from))].sort((a, b) => a - b);
  return changes.map((from, index) => {
    const [own, other] = [first, second].map((offsets) => offsets.filter((entry) => entry.from <= from).pop()?.offset);
    const shift = Number(own) - begin;
    return { start: from + shift, end: (changes[index + 1] ?? end) + shift, ahead: Number(other) - Number(own) };
  });
}

function within(start: number, day: number, time: number, end: number): boolean {
  const minute = day * MINUTES_A_DAY + time;
  return start <= minute && minute < end;
}

function print(day: number, time: number): string {
  const { date, month, weekday } = calendar()[day];
  const two = (value: number): string => String(value).padStart(2, "0");
  const titled = (name: string): string => name[0] + name.slice(1).toLowerCase();
  return `${titled(WEEKDAYS[weekday])} ${date} ${titled(MONTHS[month - 1])}, ${two(Math.floor(time / 60))}:${two(time % 60)}`;
}
