import { type EventData, scheduleStream, type ThinkEvent } from "../events/index.ts";
import { type Decision, record, refuse } from "./decision.ts";
import { due, type ScheduledTaskState } from "./scheduled-task.ts";

/** One slot of one task. */
export type Occurrence = { readonly taskId: string; readonly scheduledFor: number };

/** The slot is not the one that waits: it was used, or the task was changed or removed. */
export type OccurrenceRefusal = "not-due";

/** The handler is about to be called. */
export function startOccurrence(slot: Occurrence, state: ScheduledTaskState): Decision<OccurrenceRefusal> {
  if (!waits(slot, state)) return refuse("not-due");
  const start = (state.task?.starts ?? 0) + 1;
  return one(slot, state, [{ type: "OccurrenceStarted", data: { ...slot, start } }]);
}

export type OccurrenceOutcome =
  | { readonly status: "fired"; readonly attempts: number; readonly submissionId?: string }
  | { readonly status: "failed"; readonly attempts: number; readonly error: string };

/** What comes after a slot. */
export type AfterSlot = {
  readonly next: number | undefined;
  /** Slots that went by meanwhile. */
  readonly missed: Omit<EventData<"OccurrenceSkipped">, "taskId"> | undefined;
};

export type EndOccurrence = Occurrence & { readonly outcome: OccurrenceOutcome; readonly after: AfterSlot };

/**
 * A slot was used, and the next one waits. Each slot is used once: whoever comes second is refused, and must write
 * nothing that belongs to it.
 */
export function endOccurrence(command: EndOccurrence, state: ScheduledTaskState): Decision<OccurrenceRefusal> {
  if (!waits(command, state)) return refuse("not-due");
  const { taskId, after } = command;
  return one(command, state, [
    ended(command),
    ...(after.missed ? [{ type: "OccurrenceSkipped", data: { taskId, ...after.missed } } as const] : []),
    ...(after.next === undefined ? [] : [due(taskId, after.next)]),
  ]);
}

/** The same for a handler that ran to its end although its task was changed or removed meanwhile: it ran. */
export function endHandler(command: EndOccurrence, state: ScheduledTaskState): Decision<OccurrenceRefusal> {
  return waits(command, state) ? endOccurrence(command, state) : one(command, state, [ended(command)]);
}

const waits = ({ scheduledFor }: Occurrence, { task }: ScheduledTaskState): boolean => task?.next === scheduledFor;

function ended({ taskId, scheduledFor, outcome }: EndOccurrence): ThinkEvent {
  const { status, ...facts } = outcome;
  const data = { taskId, scheduledFor, ...facts };
  return status === "fired"
    ? { type: "OccurrenceFired", data }
    : { type: "OccurrenceFailed", data: data as EventData<"OccurrenceFailed"> };
}

const one = ({ taskId }: Occurrence, { version }: ScheduledTaskState, events: readonly ThinkEvent[]) =>
  record({ stream: scheduleStream(taskId), expectedVersion: version, events });
