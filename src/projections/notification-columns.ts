import { integer, text } from "drizzle-orm/sqlite-core";

/** A notification's name, what it tells of, who waits for it, and how often it was tried: due or given up. */
export const notificationColumns = {
  notificationId: text("notification_id").primaryKey(),
  turnId: text("turn_id").notNull(),
  ordinal: integer("ordinal").notNull(),
  workflowName: text("workflow_name").notNull(),
  workflowId: text("workflow_id").notNull(),
  eventType: text("event_type").notNull(),
  attempts: integer("attempts").notNull(),
};
