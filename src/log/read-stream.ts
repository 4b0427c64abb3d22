import type { EventRow } from "./tables.ts";

/**
 * A stream along its `previous` links, from the head back to where its present life begins. An index on
 * (stream, version) would cost a billed row for every event; this walk costs one row read for each, and
 * streams are short.
 */
const WALK = `
  WITH RECURSIVE walk AS (
    SELECT * FROM thinklog_events WHERE position = ?
    UNION ALL
    SELECT event.* FROM walk JOIN thinklog_events AS event ON event.position = walk.previous
    WHERE walk.previous >= ?
  )
  SELECT position, stream, version, ordinal, previous, type, schema_version AS schemaVersion, at, actor,
         correlation_id AS correlationId, causation_id AS causationId, data, hash
  FROM walk ORDER BY position`;

/** The same for streams that can be long: the newest rows first, and no more than so many. */
const NEWEST = `
  WITH RECURSIVE walk AS (
    SELECT * FROM thinklog_events WHERE position = ?
    UNION ALL
    SELECT event.* FROM walk JOIN thinklog_events AS event ON event.position = walk.previous
    LIMIT ?
  )
  SELECT position, stream, version, ordinal, previous, type, schema_version AS schemaVersion, at, actor,
         correlation_id AS correlationId, causation_id AS causationId, data, hash
  FROM walk ORDER BY position DESC`;

/** At most `limit` rows of a stream from the one at a position on, newest first. */
export const newestStreamRows = (storage: DurableObjectStorage, from: number, limit: number): EventRow[] =>
  storage.sql.exec<EventRow>(NEWEST, from, limit).toArray();

/** The rows from `head` back to `from` (a position), oldest first. */
export const readStreamRows = (storage: DurableObjectStorage, head: number, from: number): EventRow[] =>
  storage.sql.exec<EventRow>(WALK, head, from).toArray();
