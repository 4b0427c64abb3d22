import type { KnownEvent } from "../../events/index.ts";
import type { Reducer } from "../projection.ts";
import type { TombstoneRow } from "./row.ts";

export const tombstoneReducer: Reducer<TombstoneRow, string> = {
  key: (event) => keyOf(event),
  reduce: (row, event) => {
    if (event.type === "TombstoneExpired") return null;
    const idempotencyKey = keyOf(event);
    return idempotencyKey === undefined ? (row ?? null) : { idempotencyKey, stream: event.stream };
  },
};

const keyOf = (event: KnownEvent): string | undefined => {
  if (event.type === "TurnDeleted") return event.data.tombstone?.idempotencyKey;
  return event.type === "TombstoneExpired" ? event.data.idempotencyKey : undefined;
};
