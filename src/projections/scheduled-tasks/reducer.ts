import type { EventData, KnownEvent } from "../../events/index.ts";
import type { Reducer } from "../projection.ts";
import type { ScheduledTaskRow } from "./row.ts";

export const scheduledTaskReducer: Reducer<ScheduledTaskRow, string> = {
  key: (event) => {
    switch (event.type) {
      case "TaskDeclared":
      case "TaskRejected":
      case "TaskRemoved":
      case "OccurrenceDue":
      case "OccurrenceStarted":
      case "OccurrenceFired":
      case "OccurrenceFailed":
        return event.data.taskId;
      default:
        return undefined;
    }
  },
  reduce: (row, event) => {
    if (event.type === "TaskDeclared") return declared(row ?? unseen(event.data.taskId), event.data);
    if (event.type === "TaskRejected") {
      return { ...(row ?? unseen(event.data.taskId)), problem: event.data.error, next: null, starts: 0 };
    }
    return row ? occurred(row, event) : null;
  },
};

/** A run can end after its task was removed: then there is no row for it. */
function occurred(row: ScheduledTaskRow, event: KnownEvent): ScheduledTaskRow | null {
  switch (event.type) {
    case "OccurrenceDue":
      return { ...row, next: event.data.scheduledFor, starts: 0 };
    case "OccurrenceStarted":
      return row.next === event.data.scheduledFor ? { ...row, starts: event.data.start } : row;
    case "OccurrenceFired":
      return { ...ended(row, event.data, event.at), lastOutcome: "fired", lastError: null };
    case "OccurrenceFailed":
      return { ...ended(row, event.data, event.at), lastOutcome: "failed", lastError: event.data.error };
    default:
      return null;
  }
}

const declared = (row: ScheduledTaskRow, data: EventData<"TaskDeclared">): ScheduledTaskRow => ({
  ...row,
  action: data.action,
  schedule: data.schedule,
  timeZone: data.timeZone ?? null,
  scheduleKey: data.scheduleKey,
  fingerprint: data.fingerprint,
  anchor: data.anchor,
  problem: null,
});

type Ended = { readonly scheduledFor: number; readonly submissionId?: string | undefined };

/** The next slot, when there is one, follows in an event of its own. */
const ended = (row: ScheduledTaskRow, { scheduledFor, submissionId }: Ended, at: number): ScheduledTaskRow => ({
  ...row,
  ...(row.next === scheduledFor && { next: null, starts: 0 }),
  lastSlot: scheduledFor,
  lastAt: at,
  lastSubmissionId: submissionId ?? null,
});

const unseen = (taskId: string): ScheduledTaskRow => ({
  taskId,
  action: null,
  schedule: null,
  timeZone: null,
  scheduleKey: null,
  fingerprint: null,
  anchor: null,
  problem: null,
  next: null,
  starts: 0,
  lastSlot: null,
  lastAt: null,
  lastOutcome: null,
  lastError: null,
  lastSubmissionId: null,
});
