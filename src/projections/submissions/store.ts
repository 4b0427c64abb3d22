import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { rowStore } from "../row-store.ts";
import { submissions } from "./table.ts";

export const submissionStore = (db: Database) =>
  rowStore<typeof submissions, number>(db, submissions, {
    key: "ordinal",
    mutable: [["idempotencyKey"], ["status", "error", "startedAt", "completedAt", "messageId"]],
  });
