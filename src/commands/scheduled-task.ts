import { type EventData, scheduleStream, type ThinkEvent } from "../events/index.ts";
import { type Decision, nothing, record } from "./decision.ts";

/** What the deciders know of one task. */
export type ScheduledTaskState = {
  /** Version of its stream. */
  readonly version: number;
  /** As it was seen last; absent when it is not declared. */
  readonly task?: KnownTask | undefined;
};

type KnownTask = {
  readonly scheduleKey: string | null;
  readonly fingerprint: string | null;
  readonly anchor: number | null;
  readonly problem: string | null;
  readonly next: number | null;
  readonly starts: number;
};

export type DeclareTask = {
  readonly task: Omit<EventData<"TaskDeclared">, "anchor">;
  readonly now: number;
  /** The first slot from now on, of an interval that counts from the anchor. */
  readonly nextSlot: (anchor: number) => number | undefined;
};

/** What the code says of a task: on record when it is not what was known. What means the same keeps its phase. */
export function declareTask({ task, now, nextSlot }: DeclareTask, state: ScheduledTaskState): Decision {
  const { task: known } = state;
  const sameSchedule = known?.scheduleKey === task.scheduleKey;
  const anchor = sameSchedule ? (known.anchor ?? now) : now;
  const waits = sameSchedule && known.next !== null;
  const next = waits ? undefined : nextSlot(anchor);
  const unchanged = known?.fingerprint === task.fingerprint && known.problem === null;
  if (unchanged && next === undefined) return nothing;
  return one(task.taskId, state, [
    ...(unchanged ? [] : [{ type: "TaskDeclared", data: { ...task, anchor } } as const]),
    ...(next === undefined ? [] : [due(task.taskId, next)]),
  ]);
}

/** A declaration that cannot be used. The same fault is on record once. */
export function rejectTask(fault: EventData<"TaskRejected">, state: ScheduledTaskState): Decision {
  if (state.task?.problem === fault.error) return nothing;
  return one(fault.taskId, state, [{ type: "TaskRejected", data: fault }]);
}

/** The task is not declared any more; a slot that waits never comes. */
export function removeTask({ taskId }: { readonly taskId: string }, state: ScheduledTaskState): Decision {
  if (!state.task) return nothing;
  const { next } = state.task;
  return one(taskId, state, [{ type: "TaskRemoved", data: { taskId, ...(next !== null && { pending: next }) } }]);
}

export const due = (taskId: string, scheduledFor: number): ThinkEvent => ({
  type: "OccurrenceDue",
  data: { taskId, scheduledFor },
});

const one = (taskId: string, { version }: ScheduledTaskState, events: readonly ThinkEvent[]): Decision =>
  record({ stream: scheduleStream(taskId), expectedVersion: version, events });
