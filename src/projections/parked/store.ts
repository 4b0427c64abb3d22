import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { rowStore } from "../row-store.ts";
import { parked } from "./table.ts";

export const parkedStore = (db: Database) =>
  rowStore<typeof parked, string>(db, parked, { key: "notificationId", mutable: [["attempts", "reason"]] });
