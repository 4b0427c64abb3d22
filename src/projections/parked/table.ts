import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { notificationColumns } from "../notification-columns.ts";

/** Notifications that were given up. WITHOUT ROWID (by hand in the migration). */
export const parked = sqliteTable("thinklog_parked", {
  ...notificationColumns,
  reason: text("reason").notNull(),
});
