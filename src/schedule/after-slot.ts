import type { AfterSlot } from "../commands/index.ts";
import type { ScheduledTaskRow } from "../projections/index.ts";
import { parseSchedule } from "./grammar.ts";
import { missedSlots } from "./missed.ts";
import { nextOccurrence } from "./next-occurrence.ts";

/**
 * What comes after a slot that is used now: the first slot still to come. Those that went by are not made up for. From
 * the row alone, so that a task goes on also when its declaration cannot be read.
 */
export function afterSlot(row: ScheduledTaskRow, slot: number, now: number): AfterSlot {
  if (row.schedule === null) return { next: undefined, missed: undefined };
  const schedule = parseSchedule(row.schedule, { task: row.timeZone ?? undefined });
  // A moment early is not before its slot.
  const until = Math.max(slot, now);
  return {
    next: nextOccurrence(schedule, until, row.anchor ?? slot),
    missed: missedSlots(schedule, slot, until),
  };
}
