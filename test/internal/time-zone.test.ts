import { isTimeZone, offsetsOf } from "../../lib/internal/time-zone";

test("every zone that Intl lists is one", () => {
  expect(Intl.supportedValuesOf("timeZone").filter((zone) => !isTimeZone(zone))).toEqual([]);
});

test.each([
  "UTC",
  "GMT",
  "Etc/UTC",
  "Etc/GMT",
  "Etc/GMT+9",
  "Etc/GMT-14",
  "Etc/GMT0",
  "Etc/GMT+0",
  "Etc/Zulu",
  "Etc/UCT",
  "GMT0",
  "GMT-0",
  "Japan",
  "Turkey",
  "Singapore",
  "CET",
  "EST",
  "EST5EDT",
  "PST8PDT",
  "W-SU",
  "NZ-CHAT",
  "GB-Eire",
  "US/Eastern",
  "US/East-Indiana",
  "Asia/Kolkata",
  "Asia/Calcutta",
  "Asia/Ho_Chi_Minh",
  "America/Port-au-Prince",
  "America/Argentina/Buenos_Aires",
  "America/Buenos_Aires",
  "America/Knox_IN",
  "Antarctica/McMurdo",
  "Africa/Dar_es_Salaam",
  "Australia/ACT",
  "Chile/EasterIsland",
])("%s is a zone, by its own name or another", (name) => {
  expect(isTimeZone(name)).toBe(true);
});

test.each([
  "",
  " ",
  "Local",
  "Europe",
  "Europe/",
  "/Berlin",
  "Europe/Berln",
  "Europe/Berlin ",
  "europe/berlin",
  "EUROPE/BERLIN",
  "Asia/kolkata",
  "us/eastern",
  "US/eastern",
  "Us/Eastern",
  "Utc",
  "utc",
  "japan",
  "JAPAN",
  "Gb",
  "JST",
  "PST",
  "SystemV/EST5",
  "EST5",
  "Factory",
  "CET+1",
  "UTC+2",
  "GMT+2",
  "Etc/GMT+99",
  "Etc/GMT+09",
  "+02:00",
  "Z",
  "../etc/passwd",
])("%j is none", (name) => {
  expect(isTimeZone(name)).toBe(false);
});

describe("offsets of a zone", () => {
  const minute = (iso: string): number => Date.parse(iso) / 60_000;
  const in2028 = (zone: string) => offsetsOf(zone, minute("2028-01-01T00:00Z"), minute("2029-01-01T00:00Z"));

  test.each<[string, [string, number][]]>([
    ["UTC", [["2028-01-01T00:00Z", 0]]],
    ["Asia/Kathmandu", [["2028-01-01T00:00Z", 345]]],
    [
      "Europe/Berlin",
      [
        ["2028-01-01T00:00Z", 60],
        ["2028-03-26T01:00Z", 120],
        ["2028-10-29T01:00Z", 60],
      ],
    ],
    [
      "America/New_York",
      [
        ["2028-01-01T00:00Z", -300],
        ["2028-03-12T07:00Z", -240],
        ["2028-11-05T06:00Z", -300],
      ],
    ],
    [
      "Australia/Lord_Howe",
      [
        ["2028-01-01T00:00Z", 660],
        ["2028-04-01T15:00Z", 630],
        ["2028-09-30T15:30Z", 660],
      ],
    ],
  ])("%s change at the minute", (zone, changes) => {
    expect(in2028(zone)).toEqual(changes.map(([iso, offset]) => ({ from: minute(iso), offset })));
  });

  test("agree with the clock at any time of a year", () => {
    const format = new Intl.DateTimeFormat("sv-SE", {
      timeZone: "Africa/Casablanca",
      dateStyle: "short",
      timeStyle: "short",
    });
    const offsets = in2028("Africa/Casablanca");
    expect(offsets.length).toBeGreaterThan(1);
    for (let at = minute("2028-01-01T00:00Z"); at < minute("2029-01-01T00:00Z"); at += 359) {
      const { offset } = offsets.filter(({ from }) => from <= at).pop()!;
      expect(format.format(at * 60_000)).toBe(
        new Date((at + offset) * 60_000).toISOString().slice(0, 16).replace("T", " "),
      );
    }
  });
});
