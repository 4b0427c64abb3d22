import { nextOccurrence } from "./next-occurrence.ts";
import type { Schedule } from "./schedule.ts";

export type MissedSlots = { readonly count: number; readonly first: number; readonly last: number };

/** The slots after one slot and up to a time, that one included; `undefined` when there are none. */
export function missedSlots(schedule: Schedule, slotMs: number, untilMs: number): MissedSlots | undefined {
  const first = nextOccurrence(schedule, slotMs, slotMs);
  if (first === undefined || first > untilMs) return undefined;
  if (schedule.kind === "interval") {
    const count = Math.floor((untilMs - slotMs) / schedule.everyMs);
    return { count, first, last: slotMs + count * schedule.everyMs };
  }
  let missed: MissedSlots = { count: 1, first, last: first };
  for (;;) {
    const slot = nextOccurrence(schedule, missed.last);
    if (slot === undefined || slot > untilMs) return missed;
    missed = { count: missed.count + 1, first, last: slot };
  }
}
