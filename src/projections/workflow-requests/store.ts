import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { rowStore } from "../row-store.ts";
import { workflowRequests } from "./table.ts";

export const workflowRequestStore = (db: Database) =>
  rowStore<typeof workflowRequests, string>(db, workflowRequests, { key: "workflowId", mutable: [["failure"]] });
