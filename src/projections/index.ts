export type { OutboxRow } from "./outbox/row.ts";
export type { ParkedRow } from "./parked/row.ts";
export { foldAll } from "./project.ts";
export type { Projection, Reducer, RowStore } from "./projection.ts";
export type { QueueRow } from "./queue/row.ts";
export { openProjections, type Projections } from "./registry.ts";
export type { ScheduledTaskRow } from "./scheduled-tasks/row.ts";
export type { SubmissionRow } from "./submissions/row.ts";
export type { WorkflowRequestRow } from "./workflow-requests/row.ts";
