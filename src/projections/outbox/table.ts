import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The outbox. WITHOUT ROWID (by hand in the migration), and without an index: it holds what is to be
 * delivered and nothing else, which is most of the time nothing.
 */
export const outbox = sqliteTable("thinklog_outbox", {
  notificationId: text("notification_id").primaryKey(),
  turnId: text("turn_id").notNull(),
  ordinal: integer("ordinal").notNull(),
  workflowName: text("workflow_name").notNull(),
  workflowId: text("workflow_id").notNull(),
  eventType: text("event_type").notNull(),
  attempts: integer("attempts").notNull(),
  dueAt: integer("due_at").notNull(),
  failingSince: integer("failing_since"),
  error: text("error"),
});
