import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Workflows that are still to be started: empty almost always. WITHOUT ROWID (by hand in the migration). */
export const workflowRequests = sqliteTable("thinklog_workflow_requests", {
  workflowId: text("workflow_id").primaryKey(),
  workflowName: text("workflow_name").notNull(),
  params: text("params"),
  metadata: text("metadata"),
  agentBinding: text("agent_binding"),
  retention: text("retention"),
  failure: text("failure"),
});
