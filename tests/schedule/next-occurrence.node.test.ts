import { describe, expect, test } from "vitest";
import { parseSchedule } from "../../src/schedule/grammar.ts";
import { missedSlots } from "../../src/schedule/missed.ts";
import { nextOccurrence } from "../../src/schedule/next-occurrence.ts";

const at = (iso: string): number => Date.parse(iso);

/** The next slots one after the other, as instants. */
function slots(text: string, after: string, count: number): string[] {
  const schedule = parseSchedule(text);
  const found: string[] = [];
  let last = at(after);
  for (let n = 0; n < count; n += 1) {
    last = nextOccurrence(schedule, last) ?? Number.NaN;
    found.push(new Date(last).toISOString().replace(":00.000Z", "Z"));
  }
  return found;
}

describe("C-12: an interval", () => {
  const hourly = parseSchedule("every 1 hour");

  test("begins one period from now", () => {
    expect(nextOccurrence(hourly, at("2026-05-01T08:20Z"))).toBe(at("2026-05-01T09:20Z"));
  });

  test("keeps its phase and catches nothing up", () => {
    const previous = at("2026-05-01T08:00Z");
    expect(nextOccurrence(hourly, at("2026-05-01T10:30Z"), previous)).toBe(at("2026-05-01T11:00Z"));
    expect(nextOccurrence(hourly, at("2026-05-01T11:00Z"), previous)).toBe(at("2026-05-01T12:00Z"));
    expect(nextOccurrence(hourly, previous, previous)).toBe(at("2026-05-01T09:00Z"));
  });

  test("C-24: does not run a slot again that ran a moment early", () => {
    const previous = at("2026-05-01T08:00Z");
    expect(nextOccurrence(hourly, previous - 900, previous)).toBe(at("2026-05-01T09:00Z"));
  });

  test("counts time that passed, not hours on a clock", () => {
    expect(slots("every 24 hours", "2026-03-28T23:00Z", 2)).toEqual(["2026-03-29T23:00Z", "2026-03-30T23:00Z"]);
  });

  test("ends where dates do", () => {
    expect(nextOccurrence(hourly, 8.64e15)).toBeUndefined();
  });
});

describe("C-13: a wall clock", () => {
  test("is strictly after now", () => {
    expect(slots("every day at 09:00 in UTC", "2026-05-01T08:59:59.999Z", 1)).toEqual(["2026-05-01T09:00Z"]);
    expect(slots("every day at 09:00 in UTC", "2026-05-01T09:00Z", 1)).toEqual(["2026-05-02T09:00Z"]);
  });

  test("leaves out the weekend on weekdays", () => {
    const expected = ["2026-05-01T07:00Z", "2026-05-04T07:00Z", "2026-05-05T07:00Z"];
    expect(slots("every weekday at 09:00 in Europe/Berlin", "2026-05-01T00:00Z", 3)).toEqual(expected);
  });

  test("knows its days by its own calendar, not by that of Greenwich", () => {
    const tokyo = "every week on mon at 08:00 in Asia/Tokyo";
    expect(slots(tokyo, "2026-05-01T00:00Z", 2)).toEqual(["2026-05-03T23:00Z", "2026-05-10T23:00Z"]);
    const honolulu = "every week on sun, mon at 22:00 in Pacific/Honolulu";
    expect(slots(honolulu, "2026-05-01T00:00Z", 2)).toEqual(["2026-05-04T08:00Z", "2026-05-05T08:00Z"]);
  });

  test("goes over the end of months and years", () => {
    const expected = ["2028-02-29T12:00Z", "2028-03-01T12:00Z"];
    expect(slots("every day at 12:00 in UTC", "2028-02-28T12:00Z", 2)).toEqual(expected);
    expect(slots("every day at 00:00 in UTC", "2026-12-31T12:00Z", 1)).toEqual(["2027-01-01T00:00Z"]);
  });

  test("C-24: does not run a slot again that ran a moment early", () => {
    const schedule = parseSchedule("every day at 09:00 in UTC");
    const slot = at("2026-05-01T09:00Z");
    expect(nextOccurrence(schedule, slot - 900, slot)).toBe(at("2026-05-02T09:00Z"));
  });
});

describe("C-14: a time that the clocks jump over comes when they jump", () => {
  test.each([
    ["every day at 02:30 in Europe/Berlin", "2026-03-28T12:00Z", ["2026-03-29T01:00Z", "2026-03-30T00:30Z"]],
    ["every day at 01:30 in Europe/London", "2026-03-28T12:00Z", ["2026-03-29T01:00Z", "2026-03-30T00:30Z"]],
    ["every day at 02:30 in America/New_York", "2026-03-07T12:00Z", ["2026-03-08T07:00Z", "2026-03-09T06:30Z"]],
    ["every day at 02:15 in Australia/Lord_Howe", "2026-10-03T12:00Z", ["2026-10-03T15:30Z", "2026-10-04T15:15Z"]],
    ["every day at 03:30 in Pacific/Apia", "2011-09-24T00:00Z", ["2011-09-24T14:00Z", "2011-09-25T13:30Z"]],
    ["every day at 00:30 in Africa/Cairo", "2026-04-23T12:00Z", ["2026-04-23T22:00Z", "2026-04-24T21:30Z"]],
  ])("%s", (text, after, expected) => {
    expect(slots(text, after, 2)).toEqual(expected);
  });

  test("the first minute of the gap and the last, but not the one after it", () => {
    const gap = ["2026-03-29T01:00Z"];
    expect(slots("every day at 02:00 in Europe/Berlin", "2026-03-28T12:00Z", 1)).toEqual(gap);
    expect(slots("every day at 02:59 in Europe/Berlin", "2026-03-28T12:00Z", 1)).toEqual(gap);
    expect(slots("every day at 03:00 in Europe/Berlin", "2026-03-28T12:00Z", 1)).toEqual(gap);
    expect(slots("every day at 01:59 in Europe/Berlin", "2026-03-28T12:00Z", 1)).toEqual(["2026-03-29T00:59Z"]);
  });
});

describe("C-15: a time that the clocks show twice comes the first time, once", () => {
  test.each([
    ["every day at 02:30 in Europe/Berlin", "2026-10-24T12:00Z", ["2026-10-25T00:30Z", "2026-10-26T01:30Z"]],
    ["every day at 01:30 in Europe/London", "2026-10-24T12:00Z", ["2026-10-25T00:30Z", "2026-10-26T01:30Z"]],
    ["every day at 01:30 in America/New_York", "2026-10-31T12:00Z", ["2026-11-01T05:30Z", "2026-11-02T06:30Z"]],
    ["every day at 01:45 in Australia/Lord_Howe", "2026-04-04T12:00Z", ["2026-04-04T14:45Z", "2026-04-05T15:15Z"]],
    ["every day at 03:30 in Pacific/Apia", "2012-03-31T00:00Z", ["2012-03-31T13:30Z", "2012-04-01T14:30Z"]],
  ])("%s", (text, after, expected) => {
    expect(slots(text, after, 2)).toEqual(expected);
  });

  test("nor does a start between the two bring it back", () => {
    const daily = "every day at 01:30 in Europe/London";
    expect(slots(daily, "2026-10-25T01:10Z", 1)).toEqual(["2026-10-26T01:30Z"]);
  });
});

describe("C-16: the day that counts is the one on which the slot really is", () => {
  // In Nuuk the clocks jump from Saturday 23:00 to Sunday 00:00.
  test("a Saturday that the jump moves to Sunday falls out", () => {
    const saturdays = "every week on sat at 23:30 in America/Nuuk";
    expect(slots(saturdays, "2026-03-22T12:00Z", 1)).toEqual(["2026-04-05T00:30Z"]);
  });

  test("and is one of the Sundays", () => {
    const sundays = "every week on sun at 23:30 in America/Nuuk";
    expect(slots(sundays, "2026-03-28T12:00Z", 2)).toEqual(["2026-03-29T01:00Z", "2026-03-30T00:30Z"]);
  });
});

describe("C-17: a date that a zone left out comes at the first moment after it", () => {
  // Apia went over the date line: Thursday 29 December 2011 was followed by Saturday the 31st.
  test.each([
    ["every day at 09:00 in Pacific/Apia", ["2011-12-29T19:00Z", "2011-12-30T10:00Z", "2011-12-30T19:00Z"]],
    ["every day at 00:00 in Pacific/Apia", ["2011-12-29T10:00Z", "2011-12-30T10:00Z", "2011-12-31T10:00Z"]],
    ["every week on fri at 09:00 in Pacific/Apia", ["2012-01-05T19:00Z", "2012-01-12T19:00Z", "2012-01-19T19:00Z"]],
  ])("%s", (text, expected) => {
    expect(slots(text, "2011-12-29T09:30Z", 3)).toEqual(expected);
  });
});

describe("the slots that were missed", () => {
  const overdue = (text: string, slot: string, until: string) => missedSlots(parseSchedule(text), at(slot), at(until));

  test("C-28: of an interval are those after the one that is late", () => {
    expect(overdue("every 1 hour", "2026-05-01T08:00Z", "2026-05-01T17:59Z")).toEqual({
      count: 9,
      first: at("2026-05-01T09:00Z"),
      last: at("2026-05-01T17:00Z"),
    });
  });

  test("C-28: of a wall clock are counted over a change of the clocks", () => {
    expect(overdue("every day at 02:30 in Europe/Berlin", "2026-03-27T01:30Z", "2026-03-30T00:30Z")).toEqual({
      count: 3,
      first: at("2026-03-28T01:30Z"),
      last: at("2026-03-30T00:30Z"),
    });
  });

  test("are none when the next is still to come", () => {
    expect(overdue("every 1 hour", "2026-05-01T08:00Z", "2026-05-01T08:59Z")).toBeUndefined();
    expect(overdue("every day at 09:00 in UTC", "2026-05-01T09:00Z", "2026-05-02T08:59Z")).toBeUndefined();
  });
});
