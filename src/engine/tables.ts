import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How far a follower of the log has come. WITHOUT ROWID (by hand in the migration). */
export const checkpoints = sqliteTable("thinklog_checkpoints", {
  name: text("name").primaryKey(),
  position: integer("position").notNull(),
});
