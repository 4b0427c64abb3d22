import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Keys of deleted submissions that still answer retries. WITHOUT ROWID (by hand in the migration). */
export const tombstones = sqliteTable("thinklog_tombstones", {
  idempotencyKey: text("idempotency_key").primaryKey(),
  stream: text("stream").notNull(),
});
