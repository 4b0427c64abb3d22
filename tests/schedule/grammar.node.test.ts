import { describe, expect, test } from "vitest";
import { parseSchedule } from "../../src/schedule/grammar.ts";
import type { ZoneSources } from "../../src/schedule/time-zone.ts";
import { expectInputError } from "../support/input-error.ts";

const MINUTE = 60_000;
const berlin: ZoneSources = { fallback: "Europe/Berlin" };

const refused = (code: string, message: string, text: string, zones: ZoneSources = berlin, field = "schedule") => {
  expectInputError(() => parseSchedule(text, zones), code, field);
  expect(() => parseSchedule(text, zones)).toThrow(expect.objectContaining({ message }));
};

describe("an interval", () => {
  test.each([
    ["every 1 minute", MINUTE],
    ["every 15 minutes", 15 * MINUTE],
    ["every 1 hour", 60 * MINUTE],
    ["every 36 hours", 36 * 60 * MINUTE],
  ])("%s", (text, everyMs) => {
    expect(parseSchedule(text)).toEqual({ kind: "interval", everyMs, text });
  });

  test("C-3: says one thing in the singular and more in the plural", () => {
    refused("singular-unit", 'Use singular unit for "every 1 minutes"', "every 1 minutes");
    refused("singular-unit", 'Use singular unit for "every 1 hours"', "every 1 hours");
    refused("plural-unit", 'Use plural unit for "every 2 minute"', "every 2 minute");
    refused("plural-unit", 'Use plural unit for "every 12 hour"', "every 12 hour");
  });

  test("C-4: has no time zone; the default one does not touch it", () => {
    const message = "Interval schedules cannot specify a timezone";
    refused("timezone-on-interval", message, "every 5 minutes in UTC");
    refused("timezone-on-interval", message, "every 5 minutes", { task: "UTC" });
    expect(parseSchedule("every 5 minutes", berlin)).toMatchObject({ kind: "interval" });
  });

  test("is not longer than dates are", () => {
    const text = `every 9${"0".repeat(400)} hours`;
    refused("interval-too-long", `Interval of "${text}" is too long`, text);
  });
});

describe("a wall clock", () => {
  test("every day, every weekday, or days of the week in any spelling and order", () => {
    const at = { kind: "wall-clock", hour: 9, minute: 5, timeZone: "Europe/Berlin" };
    const week = [1, 2, 3, 4, 5, 6, 7];
    expect(parseSchedule("every day at 09:05", berlin)).toMatchObject({ ...at, weekdays: week });
    expect(parseSchedule("every weekday at 09:05", berlin)).toMatchObject({ ...at, weekdays: [1, 2, 3, 4, 5] });
    const weekly = parseSchedule("every week on Sunday,wed ,  MON at 09:05", berlin);
    expect(weekly).toMatchObject({ ...at, weekdays: [1, 3, 7] });
    const names = ["mon", "tuesday", "wed", "thursday", "fri", "saturday", "sun"];
    expect(parseSchedule(`every week on ${names.join(",")} at 09:05`, berlin)).toMatchObject({ weekdays: week });
  });

  test("spaces and case do not matter, and the text kept has neither", () => {
    expect(parseSchedule("  Every\tDAY  at\n23:59 in  Europe/London ")).toEqual({
      kind: "wall-clock",
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      hour: 23,
      minute: 59,
      timeZone: "Europe/London",
      text: "every day at 23:59 in europe/london",
    });
  });

  test("C-5: the zone in the words comes first, then the task's, then the default", () => {
    const zones = { task: "Europe/London", fallback: "Europe/Berlin" };
    const own = { timeZone: "Europe/London" };
    expect(parseSchedule("every day at 09:00 in Europe/London", zones)).toMatchObject(own);
    expect(parseSchedule("every day at 09:00", zones)).toMatchObject(own);
    expect(parseSchedule("every day at 09:00", berlin)).toMatchObject({ timeZone: "Europe/Berlin" });
    expect(parseSchedule("every day at 09:00 in UTC", berlin)).toMatchObject({ timeZone: "UTC" });
  });

  test.each(["every day at 09:00", "every 1 day", "every 0 minutes", "0 9 * * *", ""])(
    "C-5: without any zone %o asks for one",
    (text) => {
      refused("no-timezone", `Wall-clock schedule "${text}" requires a timezone or getDefaultTimezone()`, text, {});
    },
  );

  test("C-6: two names of one zone agree, two zones do not", () => {
    expect(parseSchedule("every day at 09:00 in UTC", { task: "Etc/UTC" })).toMatchObject({ timeZone: "UTC" });
    expect(parseSchedule("every day at 09:00 in asia/kolkata", { task: "Asia/Calcutta" })).toMatchObject({
      timeZone: "Asia/Kolkata",
    });
    const message = 'Schedule timezone "Europe/Paris" does not match task timezone "Europe/Berlin"';
    const zones = { task: "Europe/Berlin" };
    refused("timezone-mismatch", message, "every day at 09:00 in Europe/Paris", zones, "timezone");
  });

  test("C-7: an unknown zone is named, wherever it stands", () => {
    const message = 'Invalid timezone "Mars/Olympus"';
    refused("invalid-timezone", message, "every day at 09:00 in Mars/Olympus");
    refused("invalid-timezone", message, "every day at 09:00", { task: "Mars/Olympus" }, "timezone");
    refused("invalid-timezone", message, "every day at 09:00", { fallback: "Mars/Olympus" }, "getDefaultTimezone()");
  });

  test("C-7: an offset is no zone", () => {
    const inline = "every day at 09:00 in +05:30";
    refused("unsupported-schedule", `Unsupported schedule DSL "${inline}"`, inline);
    refused("invalid-timezone", 'Invalid timezone "+05:30"', "every day at 09:00", { task: "+05:30" }, "timezone");
    refused("invalid-timezone", 'Invalid timezone ""', "every day at 09:00", { task: "" }, "timezone");
    expect(parseSchedule("every day at 09:00 in Etc/GMT+5")).toMatchObject({ timeZone: "Etc/GMT+5" });
  });

  test.each(["every day at 25:00", "every weekday at 24:00", "every week on mon at 29:59 in UTC"])(
    "C-8: %s is told as a bad time",
    (text) => {
      const time = text.split(" ").find((word) => word.includes(":"));
      refused("invalid-time", `Invalid schedule time "${time}"; expected HH:mm`, text);
    },
  );

  test("C-9: a day that is none", () => {
    for (const day of ["tues", "", "monday and friday", "weekday", "constructor"]) {
      refused("invalid-day", `Invalid schedule day "${day}"`, `every week on mon, ${day} at 09:00`);
    }
  });

  test("C-9: a day said twice", () => {
    refused("duplicate-day", 'Duplicate schedule day "monday"', "every week on mon,monday at 09:00");
    refused("duplicate-day", 'Duplicate schedule day "fri"', "every week on fri, sat, fri at 09:00");
  });

  test.each([
    "every day at 9:00",
    "every day at 09:60",
    "every day at 33:00",
    "every day at 09:00:00",
    "every day",
    "every weekday",
    "every week at 09:00",
    "every week on at 09:00",
    "every month on 1 at 09:00",
    "every 2 days",
    "every 1 day",
    "every 0 minutes",
    "every 01 minutes",
    "every -5 minutes",
    "every 1.5 hours",
    "every 30 seconds",
    "every minute",
    "daily at 09:00",
    "every day at 09:00 in",
    "every day at 09:00 in Europe/Berlin please",
    "0 9 * * *",
    "",
  ])("C-10: %o is not understood", (text) => {
    refused("unsupported-schedule", `Unsupported schedule DSL "${text}"`, text);
  });
});
