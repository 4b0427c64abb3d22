import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Tasks that the agent does by the clock: a row each, however often they run. WITHOUT ROWID (by hand in the migration). */
export const scheduledTasks = sqliteTable("thinklog_scheduled_tasks", {
  taskId: text("task_id").primaryKey(),
  action: text("action", { enum: ["prompt", "handler"] }),
  schedule: text("schedule"),
  timeZone: text("time_zone"),
  scheduleKey: text("schedule_key"),
  fingerprint: text("fingerprint"),
  anchor: integer("anchor"),
  problem: text("problem"),
  next: integer("next"),
  starts: integer("starts").notNull(),
  lastSlot: integer("last_slot"),
  lastAt: integer("last_at"),
  lastOutcome: text("last_outcome", { enum: ["fired", "failed"] }),
  lastError: text("last_error"),
  lastSubmissionId: text("last_submission_id"),
});
