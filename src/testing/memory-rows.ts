import type { KnownEvent } from "../events/index.ts";
import { outboxReducer } from "../projections/outbox/reducer.ts";
import { parkedReducer } from "../projections/parked/reducer.ts";
import type { Projection, Reducer } from "../projections/projection.ts";
import { project } from "../projections/project.ts";
import { queueReducer } from "../projections/queue/reducer.ts";
import { rebuild } from "../projections/rebuild.ts";
import type { Projections } from "../projections/registry.ts";
import { scheduledTaskReducer } from "../projections/scheduled-tasks/reducer.ts";
import { submissionReducer } from "../projections/submissions/reducer.ts";
import { tombstoneReducer } from "../projections/tombstones/reducer.ts";
import { workflowRequestReducer } from "../projections/workflow-requests/reducer.ts";

/** The read models of the registry, with their own reducers, kept in maps. One that is missing here does not compile. */
export const memoryProjections = () =>
  ({
    submissions: inMemory("submissions", submissionReducer, (row) => row.ordinal),
    queue: inMemory("queue", queueReducer, (row) => row.ordinal),
    outbox: inMemory("outbox", outboxReducer, (row) => row.notificationId),
    parked: inMemory("parked", parkedReducer, (row) => row.notificationId),
    tombstones: inMemory("tombstones", tombstoneReducer, (row) => row.idempotencyKey),
    workflowRequests: inMemory("workflow-requests", workflowRequestReducer, (row) => row.workflowId),
    scheduledTasks: inMemory("scheduled-tasks", scheduledTaskReducer, (row) => row.taskId),
  }) satisfies Projections;

/** @internal */
export function inMemory<Row extends object, Key extends string | number>(
  name: string,
  reducer: Reducer<Row, Key>,
  keyOf: (row: Row) => Key,
): Projection<Row, Key> {
  const rows = new Map<Key, Row>();
  const store = {
    keyOf,
    load: (key: Key) => rows.get(key),
    save: (row: Row, before: Row | undefined) => {
      // As the table does: an insert does not replace, an update does not make a row.
      const stored = rows.has(keyOf(row));
      if (stored !== (before !== undefined))
        throw new Error(`${name}: row ${keyOf(row)} is ${stored ? "" : "not "}there`);
      rows.set(keyOf(row), row);
    },
    remove: (key: Key) => void rows.delete(key),
    all: () => [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
  };
  return {
    name,
    version: 1,
    ...reducer,
    ...store,
    project: (events: readonly KnownEvent[]) => project(reducer, store, events),
    rebuild: (events: Iterable<KnownEvent>) => rebuild(reducer, store, events),
  };
}
