import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { rowStore } from "../row-store.ts";
import { scheduledTasks } from "./table.ts";

export const scheduledTaskStore = (db: Database) =>
  rowStore<typeof scheduledTasks, string>(db, scheduledTasks, {
    key: "taskId",
    mutable: [
      ["action", "schedule", "timeZone", "scheduleKey", "fingerprint", "anchor", "problem"],
      ["next", "starts", "lastSlot", "lastAt", "lastOutcome", "lastError", "lastSubmissionId"],
    ],
  });
