import { scheduleFault } from "./fault.ts";
import { parseInterval } from "./interval.ts";
import type { Schedule, WallClockSchedule } from "./schedule.ts";
import { resolveTimeZone, type ZoneSources } from "./time-zone.ts";
import { EVERY_DAY, parseWeekdays, WORKING_DAYS } from "./weekdays.ts";

const IN_ZONE = /^(.+) in ([a-z_][a-z0-9_+\-/]*)$/i;
const DAILY = /^every (day|weekday) at (\S+)$/i;
const WEEKLY = /^every week on (.+) at (\S+)$/i;
const TIME = /^([0-2]\d):([0-5]\d)$/;

/**
 * What a schedule says. Spaces and case do not matter.
 *
 * @throws {ThinkInputError} in the words applications know.
 * @example
 * parseSchedule("every week on Mon, Thu at 09:00", { fallback: "Europe/Berlin" }).weekdays; // [1, 4]
 */
export function parseSchedule(written: string, zones: ZoneSources = {}): Schedule {
  const raw = written.trim().replaceAll(/\s+/g, " ");
  const [, body = raw, inline] = IN_ZONE.exec(raw) ?? [];
  const interval = parseInterval(body);
  if (interval && (inline ?? zones.task) !== undefined) throw scheduleFault("timezone-on-interval", []);
  if (interval) return interval;
  // Before the rest is looked at: without a zone there is nothing that a wall clock could show.
  const timeZone = resolveTimeZone(raw, inline, zones);
  return { kind: "wall-clock", ...parseWallClock(body, raw), timeZone, text: raw.toLowerCase() };
}

function parseWallClock(body: string, raw: string): Pick<WallClockSchedule, "weekdays" | "hour" | "minute"> {
  const [, span, dailyTime] = DAILY.exec(body) ?? [];
  if (span !== undefined && dailyTime !== undefined) {
    const weekdays = span.toLowerCase() === "day" ? EVERY_DAY : WORKING_DAYS;
    return { weekdays, ...parseTime(dailyTime, raw) };
  }
  const [, days, weeklyTime] = WEEKLY.exec(body) ?? [];
  if (days === undefined || weeklyTime === undefined) throw scheduleFault("unsupported-schedule", [raw]);
  const time = parseTime(weeklyTime, raw);
  return { weekdays: parseWeekdays(days), ...time };
}

function parseTime(text: string, raw: string): { hour: number; minute: number } {
  const match = TIME.exec(text);
  if (!match) throw scheduleFault("unsupported-schedule", [raw]);
  const hour = Number(match[1]);
  if (hour > 23) throw scheduleFault("invalid-time", [text]);
  return { hour, minute: Number(match[2]) };
}
