import { catalogue, isKnownType, type KnownEvent, type ThinkEvent, type UnknownEvent } from "./catalogue.ts";
import type { StoredEvent } from "./envelope.ts";
import { upcast } from "./upcast.ts";
import { wellFormed } from "./well-formed.ts";

/** A proposed event whose facts do not fit its schema: a fault of ours, refused before anything is written. */
export class InvalidEventError extends Error {
  override readonly name = "InvalidEventError";
  readonly eventType: string;

  constructor(eventType: string, detail: string) {
    super(`Event ${eventType} does not fit its schema: ${detail}`);
    this.eventType = eventType;
  }
}

/** Check a proposed event and turn its facts into the text that is stored and hashed. */
export function encode(event: ThinkEvent): { data: string; schemaVersion: number } {
  const { schema, version } = catalogue[event.type];
  const checked = schema.safeParse(event.data);
  if (!checked.success) throw new InvalidEventError(event.type, checked.error.issues.map(describe).join("; "));
  return { data: JSON.stringify(wellFormed(checked.data)), schemaVersion: version };
}

/** Read a stored event: old shapes are upcast; types this version does not know are marked, not dropped. */
export function decode(row: StoredEvent<string, unknown>): KnownEvent | UnknownEvent {
  if (!isKnownType(row.type)) return { ...row, unknown: true };
  const { data, schemaVersion } = upcast(row.type, row.schemaVersion, row.data);
  if (schemaVersion > catalogue[row.type].version) return { ...row, unknown: true };
  const checked = catalogue[row.type].schema.safeParse(wellFormed(data));
  if (!checked.success) {
    throw new InvalidEventError(
      row.type,
      `at position ${row.position}: ${checked.error.issues.map(describe).join("; ")}`,
    );
  }
  return { ...row, schemaVersion, data: checked.data } as KnownEvent;
}

export const isKnown = (event: KnownEvent | UnknownEvent): event is KnownEvent => !("unknown" in event);

const describe = (issue: { path: PropertyKey[]; message: string }): string =>
  `${issue.path.map(String).join(".") || "data"}: ${issue.message}`;
