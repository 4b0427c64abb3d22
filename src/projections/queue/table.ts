import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The lane: only what lives, so that its head is the first row and its length is what waits. */
export const queue = sqliteTable("thinklog_queue", {
  ordinal: integer("ordinal").primaryKey(),
  turnId: text("turn_id").notNull(),
  trigger: text("trigger").notNull(),
  generation: integer("generation").notNull(),
  status: text("status", { enum: ["pending", "running"] }).notNull(),
  attempt: integer("attempt").notNull(),
  epoch: integer("epoch").notNull(),
  startedAt: integer("started_at"),
  applied: integer("applied").notNull(),
});
