import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Notifications that were given up. WITHOUT ROWID (by hand in the migration). */
export const parked = sqliteTable("thinklog_parked", {
  notificationId: text("notification_id").primaryKey(),
  turnId: text("turn_id").notNull(),
  ordinal: integer("ordinal").notNull(),
  workflowName: text("workflow_name").notNull(),
  workflowId: text("workflow_id").notNull(),
  eventType: text("event_type").notNull(),
  attempts: integer("attempts").notNull(),
  reason: text("reason").notNull(),
});
