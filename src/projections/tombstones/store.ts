import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { rowStore } from "../row-store.ts";
import { tombstones } from "./table.ts";

export const tombstoneStore = (db: Database) =>
  rowStore<typeof tombstones, string>(db, tombstones, { key: "idempotencyKey", mutable: [["stream"]] });
