import { scheduleFault } from "./fault.ts";
import type { Weekday } from "./schedule.ts";

export const EVERY_DAY: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];
export const WORKING_DAYS: readonly Weekday[] = [1, 2, 3, 4, 5];

const NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** `mon, thursday` as days of the week, in its order. */
export function parseWeekdays(list: string): readonly Weekday[] {
  const days = new Set<Weekday>();
  for (const written of list.split(",")) {
    const name = written.trim();
    const day = weekdayOf(name.toLowerCase());
    if (day === undefined) throw scheduleFault("invalid-day", [name]);
    if (days.has(day)) throw scheduleFault("duplicate-day", [name]);
    days.add(day);
  }
  return EVERY_DAY.filter((day) => days.has(day));
}

/** By the whole name or its first three letters. */
function weekdayOf(name: string): Weekday | undefined {
  const index = NAMES.findIndex((known) => known === name || known.slice(0, 3) === name);
  return EVERY_DAY[index];
}
