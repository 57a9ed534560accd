import fc from "fast-check";
import { coincidence, Cron, parseCron } from "../../../lib/pools/node-group/cron";

function cron(text: string): Cron {
  const parsed = parseCron(text);
  if (typeof parsed === "string") {
    throw new Error(parsed);
  }
  return parsed;
}

const timesOf = (text: string): string[] =>
  cron(text).times.map((time) => `${Math.floor(time / 60)}:${String(time % 60).padStart(2, "0")}`);

describe("times of the day", () => {
  test.each<[string, string[]]>([
    ["0 9 * * *", ["9:00"]],
    ["05 09 * * *", ["9:05"]],
    ["30,0 18,6 * * *", ["6:00", "6:30", "18:00", "18:30"]],
    ["0 8-10 * * *", ["8:00", "9:00", "10:00"]],
    ["*/20 7 * * *", ["7:00", "7:20", "7:40"]],
    ["50/5 7 * * *", ["7:50", "7:55"]],
    ["10-30/15 7 * * *", ["7:10", "7:25"]],
    ["0 */8 * * *", ["0:00", "8:00", "16:00"]],
    ["0,0-1 23 * * *", ["23:00", "23:01"]],
    ["  59   23   *   *   *  ", ["23:59"]],
  ])("%j", (text, times) => {
    expect(timesOf(text)).toEqual(times);
  });

  test("are all minutes where everything is open", () => {
    expect(cron("* * * * *").times).toEqual(Array.from({ length: 1440 }, (_, minute) => minute));
  });
});

describe("days", () => {
  test.each<[string, string]>([
    ["0 9 * * 7", "0 9 * * 0"],
    ["0 9 * * 7", "0 9 * * SUN"],
    ["0 9 * * 5-7", "0 9 * * FRI,SAT,SUN"],
    ["0 9 * * mon-Fri", "0 9 * * 1-5"],
    ["0 9 * * MON-SAT/2", "0 9 * * 1,3,5"],
    ["0 9 * * 0-7", "0 9 * * *"],
    ["0 9 1-31 * *", "0 9 * * *"],
    ["0 9 * jan,DEC *", "0 9 * 1,12 *"],
    ["0 9 * 1-12/3 *", "0 9 * JAN,APR,JUL,OCT *"],
    ["0 9 29/1 2 *", "0 9 29 FEB *"],
  ])("%j are those of %j", (one, other) => {
    expect(cron(one)).toEqual(cron(other));
  });

  test("are every one of 28 years where none is restricted", () => {
    expect(cron("0 9 * * *").days).toEqual(Array(28 * 365 + 7).fill(true));
  });

  test("match by either where date and day of the week are both restricted", () => {
    const [both, date, weekday] = ["0 9 13 * FRI", "0 9 13 * *", "0 9 * * FRI"].map((text) => cron(text).days);
    expect(both).toEqual(date.map((matches, day) => matches || weekday[day]));
    expect(both).not.toEqual(date);
  });

  test("of one month are in that month although a day of the week is given", () => {
    const [within, month] = ["0 9 13 6 FRI", "0 9 * 6 *"].map((text) => cron(text).days);
    expect(within.filter((matches, day) => matches && !month[day])).toEqual([]);
  });

  test("of leap years count: 29 February comes seven times in 28 years", () => {
    expect(cron("0 9 29 2 *").days.filter(Boolean)).toHaveLength(7);
  });
});

describe("what is refused", () => {
  const number = (what: string, low: number, high: number, text: string): string =>
    `must have a ${what} from ${low} to ${high}, as a number, a list, a range that runs forwards, or a step, got: ${JSON.stringify(text)}`;
  const minute = (text: string): [string, string] => [text, number("minute", 0, 59, text)];
  const hour = (text: string): [string, string] => [text, number("hour", 0, 23, text)];
  const date = (text: string): [string, string] => [text, number("day of the month", 1, 31, text)];
  const month = (text: string): [string, string] => [text, number("month", 1, 12, text)];
  const weekday = (text: string): [string, string] => [text, number("day of the week", 0, 7, text)];
  const fields = (text: string, count: number): [string, string] => [
    text,
    `must have five fields (minute, hour, day of the month, month, day of the week), got: ${JSON.stringify(text)} with ${count}`,
  ];
  const never = (text: string): [string, string] => [
    text,
    `must match a day that exists, got: ${JSON.stringify(text)}`,
  ];

  test.each([
    fields("", 1),
    fields("0 9 * *", 4),
    fields("0 0 9 * * *", 6),
    fields("@daily", 1),
    minute("60 9 * * *"),
    minute("-1 9 * * *"),
    minute("0.5 9 * * *"),
    minute("*/0 9 * * *"),
    minute("5-1 9 * * *"),
    minute("0, 9 * * *"),
    minute("*-5 9 * * *"),
    minute("1-2-3 9 * * *"),
    minute("0/x 9 * * *"),
    minute("H 9 * * *"),
    hour("0 24 * * *"),
    hour("0 9am * * *"),
    date("0 9 0 * *"),
    date("0 9 32 * *"),
    date("0 9 L * *"),
    date("0 9 15W * *"),
    date("0 9 ? * MON"),
    month("0 9 * 0 *"),
    month("0 9 * 13 *"),
    month("0 9 * JANUARY *"),
    month("0 9 * MON *"),
    weekday("0 9 * * 8"),
    weekday("0 9 * * FRI-MON"),
    weekday("0 9 * * 1#2"),
    weekday("0 9 * * FRIDAY"),
    weekday("0 9 * * JAN"),
    never("0 9 30 2 *"),
    never("0 9 31 4,6,9,11 *"),
    never("0 9 30-31 FEB *"),
  ])("%j", (text, message) => {
    expect(parseCron(text)).toBe(message);
  });
});

describe("two crons fall due together", () => {
  const at = (text: string, timezone: string) => ({ cron: cron(text), timezone });

  test.each<[string, string, string, string, string]>([
    ["0 9 * * *", "UTC", "0 9 * * *", "UTC", "Sat 1 Jan, 09:00"],
    ["0 9 * * MON-FRI", "Europe/Berlin", "*/30 8-9 * * FRI", "Europe/Berlin", "Fri 7 Jan, 09:00"],
    ["0 9 * * *", "Europe/Berlin", "0 9 * * *", "Europe/Paris", "Sat 1 Jan, 09:00"],
    ["0 9 * * *", "Asia/Calcutta", "0 9 * * *", "Asia/Kolkata", "Sat 1 Jan, 09:00"],
    ["0 3 * * *", "America/New_York", "0 9 * * *", "Europe/Berlin", "Sat 1 Jan, 03:00"],
    // While America has changed its clocks and Europe has not.
    ["0 4 * * *", "America/New_York", "0 9 * * *", "Europe/Berlin", "Sun 12 Mar, 04:00"],
    // In summer alone, and in winter alone.
    ["0 8 * * *", "UTC", "0 9 * * *", "Europe/London", "Sun 26 Mar, 08:00"],
    ["0 9 * * *", "UTC", "0 9 * 3-4 *", "Europe/London", "Wed 1 Mar, 09:00"],
    // In the three hours of a year in which Beirut has changed its clocks and Berlin has not.
    ["0 23 * * SAT", "Europe/Berlin", "0 1 * * SUN", "Asia/Beirut", "Sat 25 Mar, 23:00"],
    ["59 1 * * *", "Europe/Berlin", "59 3 * * *", "Asia/Beirut", "Sun 26 Mar, 01:59"],
    // On another day of the week there.
    ["30 0 * * MON", "Pacific/Kiritimati", "30 10 * * SUN", "UTC", "Mon 3 Jan, 00:30"],
    ["30 22 * * SUN", "Etc/GMT+12", "30 0 * * TUE", "Pacific/Kiritimati", "Sun 2 Jan, 22:30"],
    // A date on a day of the week, which it has in some years only.
    ["0 9 24 12 *", "UTC", "0 9 * * MON", "UTC", "Mon 24 Dec, 09:00"],
    ["0 9 29 2 *", "UTC", "0 9 * 2 WED", "UTC", "Wed 29 Feb, 09:00"],
    ["0 9 29 2 *", "Europe/Berlin", "0 8 * 2 WED", "UTC", "Wed 29 Feb, 09:00"],
    // By either day.
    ["0 9 13 * FRI", "UTC", "0 9 14 1 *", "UTC", "Fri 14 Jan, 09:00"],
  ])("%j in %s and %j in %s", (first, firstZone, second, secondZone, time) => {
    expect(coincidence(at(first, firstZone), at(second, secondZone))).toBe(time);
  });

  test.each<[string, string, string, string]>([
    ["0 9 * * *", "UTC", "1 9 * * *", "UTC"],
    ["0 9 * * MON", "UTC", "0 9 * * TUE", "UTC"],
    ["0 9 1 * *", "UTC", "0 9 2-31 * *", "UTC"],
    ["0 9 * * *", "Europe/Berlin", "0 9 * * *", "Europe/London"],
    ["0 2 * * *", "America/New_York", "0 9 * * *", "Europe/Berlin"],
    ["0 8 * 12 *", "UTC", "0 9 * 12 *", "Europe/London"],
    ["0 9 * * MON", "Pacific/Kiritimati", "0 19 * * MON", "UTC"],
    ["0 9 * * *", "Asia/Kolkata", "0 * * * *", "UTC"],
    ["59 22 * * *", "Europe/Berlin", "59 0 * * *", "Asia/Beirut"],
    ["0 3 * * *", "Europe/Berlin", "0 5 * * *", "Asia/Beirut"],
  ])("never: %j in %s and %j in %s", (first, firstZone, second, secondZone) => {
    expect(coincidence(at(first, firstZone), at(second, secondZone))).toBeUndefined();
  });
});

/**
 * What clocks show at each quarter of an hour of 2028, as Intl says. Of these zones the offsets are whole quarters, and the
 * weeks between the changes of two of them are there in every year.
 */
const QUARTERS = 366 * 96;
const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Pacific/Kiritimati",
];

interface Wall {
  readonly quarter: Uint8Array;
  readonly weekday: Uint8Array;
  readonly date: Uint8Array;
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

function wallsOf(timeZone: string): Wall {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "full", timeStyle: "short" });
  const wall = {
    quarter: new Uint8Array(QUARTERS),
    weekday: new Uint8Array(QUARTERS),
    date: new Uint8Array(QUARTERS),
  };
  for (let index = 0; index < QUARTERS; index++) {
    const text = format.format(Date.UTC(2028, 0, 1) + index * 900_000);
    const [, weekday, date, hour, minute] = /^(\w{3})\w+ (\d+) .*(\d\d):(\d\d)$/.exec(text.replace(",", "")) ?? [];
    wall.weekday[index] = WEEKDAYS.indexOf(weekday);
    wall.date[index] = Number(date);
    wall.quarter[index] = Number(hour) * 4 + Number(minute) / 15;
  }
  return wall;
}

interface SmallCron {
  readonly quarters: number[];
  readonly weekdays: number[];
  readonly dates: number[];
}

const asText = ({ quarters, weekdays, dates }: SmallCron): string => {
  const minutes = [...new Set(quarters.map((quarter) => (quarter % 4) * 15))];
  const hours = [...new Set(quarters.map((quarter) => Math.floor(quarter / 4)))];
  return [minutes, hours, dates, [], weekdays].map((values) => values.join(",") || "*").join(" ");
};

describe("any two crons", () => {
  const walls = new Map(ZONES.map((zone) => [zone, wallsOf(zone)]));
  const some = (low: number, high: number, most: number) =>
    fc.uniqueArray(fc.integer({ min: low, max: high }), { maxLength: most });
  // One minute or one hour, so that the text's product of both has no more times than were drawn.
  const quarters = fc.oneof(
    fc.integer({ min: 0, max: 95 }).map((quarter) => [quarter]),
    fc.tuple(fc.integer({ min: 0, max: 3 }), some(0, 23, 4)).map(([minute, hours]) => hours.map((h) => h * 4 + minute)),
  );
  const small = fc.record({
    quarters: quarters.filter((drawn) => drawn.length > 0),
    weekdays: some(0, 6, 3),
    dates: fc.constant<number[]>([]),
  });
  const hourly = Array.from({ length: 24 }, (_, hour) => hour * 4);
  const dated = fc.record({ quarters: fc.constant(hourly), weekdays: some(0, 6, 2), dates: some(1, 31, 2) });
  const zone = fc.constantFrom(...ZONES);

  function meetIn2028(first: SmallCron, firstZone: string, second: SmallCron, secondZone: string): boolean {
    const sides = [
      [first, walls.get(firstZone)],
      [second, walls.get(secondZone)],
    ] as [SmallCron, Wall][];
    const due = (index: number): boolean =>
      sides.every(([{ quarters, weekdays, dates }, wall]) => {
        const byDate = dates.includes(wall.date[index]);
        const byWeekday = weekdays.includes(wall.weekday[index]);
        const anyDay = dates.length === 0 && weekdays.length === 0;
        return quarters.includes(wall.quarter[index]) && (anyDay || byDate || byWeekday);
      });
    for (let index = 0; index < QUARTERS; index++) {
      if (due(index)) {
        return true;
      }
    }
    return false;
  }

  const found = (first: SmallCron, firstZone: string, second: SmallCron, secondZone: string): boolean =>
    coincidence(
      { cron: cron(asText(first)), timezone: firstZone },
      { cron: cron(asText(second)), timezone: secondZone },
    ) !== undefined;

  test("fall due together where a walk over a year of both clocks says so", () => {
    fc.assert(
      fc.property(small, zone, small, zone, (first, firstZone, second, secondZone) => {
        expect(found(first, firstZone, second, secondZone)).toBe(meetIn2028(first, firstZone, second, secondZone));
      }),
      { numRuns: 200 },
    );
  });

  test("with dates are found together at least where they are in one year", () => {
    fc.assert(
      fc.property(dated, zone, dated, zone, (first, firstZone, second, secondZone) => {
        fc.pre(meetIn2028(first, firstZone, second, secondZone));
        expect(found(first, firstZone, second, secondZone)).toBe(true);
      }),
    );
  });

  test("do so whichever is asked first", () => {
    fc.assert(
      fc.property(
        fc.oneof(small, dated),
        zone,
        fc.oneof(small, dated),
        zone,
        (first, firstZone, second, secondZone) => {
          expect(found(first, firstZone, second, secondZone)).toBe(found(second, secondZone, first, firstZone));
        },
      ),
    );
  });
});
