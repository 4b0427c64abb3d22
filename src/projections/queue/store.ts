import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { rowStore } from "../row-store.ts";
import { queue } from "./table.ts";

export const queueStore = (db: Database) =>
  rowStore<typeof queue, number>(db, queue, {
    key: "ordinal",
    mutable: [["status", "attempt", "epoch", "startedAt", "applied"]],
  });
