import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { notificationColumns } from "../notification-columns.ts";

/**
 * The outbox. WITHOUT ROWID (by hand in the migration), and without an index: it holds what is to be
 * delivered and nothing else, which is most of the time nothing.
 */
export const outbox = sqliteTable("thinklog_outbox", {
  ...notificationColumns,
  dueAt: integer("due_at").notNull(),
  failingSince: integer("failing_since"),
  error: text("error"),
});
