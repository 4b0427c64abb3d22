import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What `configure()` keeps: the target's table, so that its objects keep their configuration. */
export const thinkConfig = sqliteTable("think_config", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
});

/**
 * The leaf that somebody chose, one row a session; none while the newest row is the leaf. It holds only as
 * long as `tail_id` is the newest row. WITHOUT ROWID (by hand in the migration).
 */
export const activeLeaf = sqliteTable("thinklog_active_leaf", {
  sessionId: text("session_id").primaryKey(),
  leafId: text("leaf_id").notNull(),
  tailId: text("tail_id").notNull(),
});
