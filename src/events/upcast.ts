import type { EventType } from "./catalogue.ts";

/** Turns the facts of one schema version into those of the next. */
export type Upcaster = (data: unknown) => unknown;

/**
 * Upcasters by type and by the version they read. Stored bytes never change: an old event is lifted
 * each time it is read, by live load, rebuild and audit alike.
 */
export const upcasters: Partial<Record<EventType, Readonly<Record<number, Upcaster>>>> = {};

/** Lift the facts of an event step by step to the newest version for which there is an upcaster. */
export function upcast(
  type: EventType,
  schemaVersion: number,
  data: unknown,
  table: typeof upcasters = upcasters,
): { data: unknown; schemaVersion: number } {
  let version = schemaVersion;
  let lifted = data;
  for (let step = table[type]?.[version]; step !== undefined; step = table[type]?.[version]) {
    lifted = step(lifted);
    version += 1;
  }
  return { data: lifted, schemaVersion: version };
}
