import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The log. Every index entry is a billed row, so there is no index beyond the keys: a stream is read
 * along `previous`, from the head that `thinklog_streams` names. The migration makes the last two
 * tables WITHOUT ROWID and puts triggers on the first that refuse UPDATE and DELETE.
 */
export const events = sqliteTable("thinklog_events", {
  position: integer("position").primaryKey(),
  stream: text("stream").notNull(),
  version: integer("version").notNull(),
  /** Position of the event that opened the stream's present life. */
  ordinal: integer("ordinal").notNull(),
  /** Position of the event before it in the stream. */
  previous: integer("previous"),
  type: text("type").notNull(),
  schemaVersion: integer("schema_version").notNull(),
  at: integer("at").notNull(),
  actor: text("actor").notNull(),
  correlationId: text("correlation_id").notNull(),
  causationId: text("causation_id").notNull(),
  /** JSON of the facts, exactly as hashed. */
  data: text("data").notNull(),
  /** SHA-256 over the hash before it and all of this row. */
  hash: text("hash").notNull(),
});

/** The newest version of each stream and where to read it. Follows from the events; rewritten at each append. */
export const streams = sqliteTable("thinklog_streams", {
  stream: text("stream").primaryKey(),
  version: integer("version").notNull(),
  ordinal: integer("ordinal").notNull(),
  head: integer("head").notNull(),
});

/** Content, apart from the facts, so that it can be erased while the log stays whole. */
export const payloads = sqliteTable(
  "thinklog_payloads",
  {
    digest: text("digest").notNull(),
    part: integer("part").notNull(),
    /** Hashed with the content: after erasure nobody can confirm a guess against the digest in the log. */
    salt: text("salt").notNull(),
    content: text("content").notNull(),
  },
  (t) => [primaryKey({ columns: [t.digest, t.part] })],
);

export type EventRow = typeof events.$inferSelect;
export type StreamRow = typeof streams.$inferSelect;
