import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { outboxReducer } from "./outbox/reducer.ts";
import { outboxStore } from "./outbox/store.ts";
import { parkedReducer } from "./parked/reducer.ts";
import { parkedStore } from "./parked/store.ts";
import type { Projection, Reducer, RowStore } from "./projection.ts";
import { project } from "./project.ts";
import { queueReducer } from "./queue/reducer.ts";
import { queueStore } from "./queue/store.ts";
import { rebuild } from "./rebuild.ts";
import { scheduledTaskReducer } from "./scheduled-tasks/reducer.ts";
import { scheduledTaskStore } from "./scheduled-tasks/store.ts";
import { submissionReducer } from "./submissions/reducer.ts";
import { submissionStore } from "./submissions/store.ts";
import { tombstoneReducer } from "./tombstones/reducer.ts";
import { tombstoneStore } from "./tombstones/store.ts";
import { workflowRequestReducer } from "./workflow-requests/reducer.ts";
import { workflowRequestStore } from "./workflow-requests/store.ts";

/** Every read model: one line each. */
export const openProjections = (db: Database) => ({
  submissions: projection("submissions", 1, submissionReducer, submissionStore(db)),
  queue: projection("queue", 1, queueReducer, queueStore(db)),
  outbox: projection("outbox", 1, outboxReducer, outboxStore(db)),
  parked: projection("parked", 1, parkedReducer, parkedStore(db)),
  tombstones: projection("tombstones", 1, tombstoneReducer, tombstoneStore(db)),
  workflowRequests: projection("workflow-requests", 1, workflowRequestReducer, workflowRequestStore(db)),
  scheduledTasks: projection("scheduled-tasks", 1, scheduledTaskReducer, scheduledTaskStore(db)),
});

export type Projections = ReturnType<typeof openProjections>;

function projection<Row extends object, Key extends string | number>(
  name: string,
  version: number,
  reducer: Reducer<Row, Key>,
  rows: RowStore<Row, Key>,
): Projection<Row, Key> {
  return {
    name,
    version,
    ...reducer,
    ...rows,
    project: (events) => project(reducer, rows, events),
    rebuild: (events) => rebuild(reducer, rows, events),
  };
}
