import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** The ledger. Its key is the acceptance position; the id is found through the log's stream heads. */
export const submissions = sqliteTable(
  "thinklog_submissions",
  {
    ordinal: integer("ordinal").primaryKey(),
    submissionId: text("submission_id").notNull(),
    idempotencyKey: text("idempotency_key"),
    createdAt: integer("created_at").notNull(),
    payload: text("payload"),
    metadata: text("metadata"),
    status: text("status", { enum: ["completed", "aborted", "skipped", "error"] }),
    error: text("error"),
    startedAt: integer("started_at"),
    completedAt: integer("completed_at"),
    messageId: text("message_id"),
  },
  (t) => [
    uniqueIndex("thinklog_submissions_key")
      .on(t.idempotencyKey)
      .where(sql`idempotency_key IS NOT NULL`),
    // (status, rowid): the newest or oldest of one terminal status without a scan. Written once, at the end.
    index("thinklog_submissions_ended")
      .on(t.status)
      .where(sql`status IS NOT NULL`),
  ],
);
