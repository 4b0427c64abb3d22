import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The outbox. WITHOUT ROWID (by hand in the migration), with an index only over what is due. */
export const outbox = sqliteTable(
  "thinklog_outbox",
  {
    notificationId: text("notification_id").primaryKey(),
    stream: text("stream").notNull(),
    turnId: text("turn_id").notNull(),
    workflowName: text("workflow_name").notNull(),
    workflowId: text("workflow_id").notNull(),
    eventType: text("event_type").notNull(),
    status: text("status", { enum: ["due", "delivered", "parked"] }).notNull(),
    attempts: integer("attempts").notNull(),
    dueAt: integer("due_at"),
    failingSince: integer("failing_since"),
    error: text("error"),
  },
  (t) => [
    index("thinklog_outbox_due")
      .on(t.dueAt)
      .where(sql`due_at IS NOT NULL`),
  ],
);
