import { type EventLog } from "../log/index.ts";
import { isKnown, type KnownEvent, scheduleStream, type UnknownEvent } from "../events/index.ts";
import type { ScheduledTaskRow } from "../projections/index.ts";
import { decodeCursor, encodeCursor } from "../queries/cursor.ts";
import type { OccurrencePage, ScheduledTaskInspection, TaskOccurrence, TaskRun } from "../types.ts";

export function inspectionOf(row: ScheduledTaskRow): ScheduledTaskInspection {
  const { taskId, action, schedule, timeZone, next, problem } = row;
  const last = lastOf(row);
  return {
    taskId,
    ...(action !== null && { action }),
    ...(schedule !== null && { schedule }),
    ...(timeZone !== null && { timezone: timeZone }),
    ...(next !== null && { next }),
    ...(last && { last }),
    ...(problem !== null && { problem }),
  };
}

function lastOf(row: ScheduledTaskRow): TaskRun | undefined {
  const { lastSlot, lastAt, lastOutcome, lastError, lastSubmissionId } = row;
  if (lastSlot === null || lastAt === null || lastOutcome === null) return undefined;
  return {
    scheduledFor: lastSlot,
    at: lastAt,
    outcome: lastOutcome,
    ...(lastError !== null && { error: lastError }),
    ...(lastSubmissionId !== null && { submissionId: lastSubmissionId }),
  };
}

export type OccurrenceRequest = {
  readonly taskId: string;
  readonly limit: number;
  readonly cursor: string | undefined;
};

/** Events looked at for one occurrence: it is due, may be started, ends, and may be followed by a skip. */
const EVENTS_EACH = 4;

/** One page of what became of a task's slots, newest first. Reads a bounded number of events. */
export function occurrencePage(log: EventLog, { taskId, limit, cursor }: OccurrenceRequest): OccurrencePage {
  const before = cursor === undefined ? undefined : decodeCursor(cursor, "desc");
  const size = limit * EVENTS_EACH;
  const events = log.newestOf(scheduleStream(taskId), size, before);
  const found = events.flatMap((event) => {
    const occurrence = occurrenceOf(event);
    return occurrence ? [{ occurrence, position: event.position }] : [];
  });
  const page = found.slice(0, limit);
  const last = found.length > page.length ? page.at(-1) : events.length === size ? events.at(-1) : undefined;
  return {
    occurrences: page.map(({ occurrence }) => occurrence),
    ...(last && { cursor: encodeCursor(last.position, "desc") }),
  };
}

function occurrenceOf(event: KnownEvent | UnknownEvent): TaskOccurrence | undefined {
  if (!isKnown(event)) return undefined;
  const { at } = event;
  switch (event.type) {
    case "OccurrenceFired": {
      const { submissionId, ...facts } = event.data;
      return { at, outcome: "fired", ...facts, ...(submissionId !== undefined && { submissionId }) };
    }
    case "OccurrenceFailed":
      return { at, outcome: "failed", ...event.data };
    case "OccurrenceSkipped": {
      const { taskId, first, last, count } = event.data;
      return { taskId, at, outcome: "skipped", scheduledFor: first, until: last, count };
    }
    case "TaskRemoved": {
      const { taskId, pending } = event.data;
      return pending === undefined ? undefined : { taskId, at, outcome: "cancelled", scheduledFor: pending };
    }
    default:
      return undefined;
  }
}
