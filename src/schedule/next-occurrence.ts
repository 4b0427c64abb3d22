import { fromEpochMilliseconds, toZonedDateTimeISO } from "temporal-polyfill/fns/Instant";
import { addDays, toPlainDateTime } from "temporal-polyfill/fns/PlainDate";
import { create as timeOfDay } from "temporal-polyfill/fns/PlainTime";
import { dayOfWeek, toPlainDate } from "temporal-polyfill/fns/ZonedDateTime";
import type { Schedule, WallClockSchedule } from "./schedule.ts";
import { onTheClock } from "./wall-clock.ts";

/** Days of one zone that are looked at; every schedule has come round long before. */
const HORIZON_DAYS = 370;

/** The last instant a `Date` can hold. */
const END_OF_TIME = 8.64e15;

/**
 * The first slot after `afterMs`, in epoch milliseconds; `undefined` when there is none before dates end.
 * An interval counts from the anchor, which is the slot before or the time of declaration, and keeps its phase
 * whatever was missed; without one it begins at `afterMs`. The result is later than the anchor in any case, so that
 * a run that came a moment early does not run its slot again.
 *
 * @example
 * nextOccurrence(hourly, at("10:30"), at("08:00")); // 11:00
 */
export function nextOccurrence(schedule: Schedule, afterMs: number, anchorMs: number = afterMs): number | undefined {
  if (schedule.kind === "wall-clock") return nextOnTheClock(schedule, Math.floor(Math.max(afterMs, anchorMs)));
  const periods = Math.max(1, Math.floor((afterMs - anchorMs) / schedule.everyMs) + 1);
  const next = anchorMs + periods * schedule.everyMs;
  return next <= END_OF_TIME ? next : undefined;
}

function nextOnTheClock({ weekdays, hour, minute, timeZone }: WallClockSchedule, afterMs: number): number | undefined {
  const today = toPlainDate(toZonedDateTimeISO(fromEpochMilliseconds(afterMs), timeZone));
  const time = timeOfDay(hour, minute);
  for (let day = 0; day <= HORIZON_DAYS; day += 1) {
    const slot = onTheClock(toPlainDateTime(addDays(today, day), time), timeZone);
    // The day on which the slot really is: a gap may have moved it past midnight.
    const isDue = weekdays.some((weekday) => weekday === dayOfWeek(slot));
    if (isDue && slot.epochMilliseconds > afterMs) return slot.epochMilliseconds;
  }
  return undefined;
}
