import { createHash } from "node:crypto";
import type { EventRow } from "./tables.ts";

/** What the first event is chained to. */
export const GENESIS = "thinklog";

/** `node:crypto` is synchronous, which a transaction that must not await needs. */
export const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("base64url");

/** The hash of an event: over the hash before it, its header, and its facts (which name their payloads by digest). */
export function chainHash(previousHash: string, row: Omit<EventRow, "hash">): string {
  return sha256(
    JSON.stringify([
      previousHash,
      row.position,
      row.stream,
      row.version,
      row.ordinal,
      row.previous,
      row.type,
      row.schemaVersion,
      row.at,
      row.actor,
      row.correlationId,
      row.causationId,
      row.data,
    ]),
  );
}
