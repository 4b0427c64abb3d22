import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { rowStore } from "../row-store.ts";
import { outbox } from "./table.ts";

export const outboxStore = (db: Database) =>
  rowStore<typeof outbox, string>(db, outbox, {
    key: "notificationId",
    mutable: [["attempts", "dueAt", "failingSince", "error"]],
  });
