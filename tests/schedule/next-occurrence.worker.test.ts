import { expect, test } from "vitest";
import { parseSchedule } from "../../src/schedule/grammar.ts";
import { nextOccurrence } from "../../src/schedule/next-occurrence.ts";
import { expectInputError } from "../support/input-error.ts";

const next = (text: string, after: string): string =>
  new Date(nextOccurrence(parseSchedule(text), Date.parse(after)) ?? Number.NaN).toISOString();

test.each([
  ["every day at 02:30 in Europe/Berlin", "2026-03-28T12:00Z", "2026-03-29T01:00:00.000Z"],
  ["every day at 01:30 in Europe/London", "2026-10-24T12:00Z", "2026-10-25T00:30:00.000Z"],
  ["every day at 02:30 in America/New_York", "2026-03-07T12:00Z", "2026-03-08T07:00:00.000Z"],
  ["every day at 02:15 in Australia/Lord_Howe", "2026-10-03T12:00Z", "2026-10-03T15:30:00.000Z"],
  ["every week on mon at 08:00 in asia/tokyo", "2026-05-01T00:00Z", "2026-05-03T23:00:00.000Z"],
  ["every day at 09:00 in Pacific/Apia", "2011-12-29T20:00Z", "2011-12-30T10:00:00.000Z"],
])("C-14, C-15, C-17: the runtime of Workers knows the clocks of the zones: %s", (text, after, expected) => {
  expect(next(text, after)).toBe(expected);
});

test("C-6, C-7: and their names", () => {
  const zones = { task: "Etc/UTC" };
  expect(parseSchedule("every day at 09:00 in utc", zones)).toMatchObject({ timeZone: "UTC" });
  expectInputError(() => parseSchedule("every day at 09:00", { task: "+05:30" }), "invalid-timezone", "timezone");
  expectInputError(() => parseSchedule("every day at 09:00 in Mars/Olympus"), "invalid-timezone", "schedule");
});
