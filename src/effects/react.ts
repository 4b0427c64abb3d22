import type { Turn } from "../commands/index.ts";
import { type EventData, isForLater, type KnownEvent } from "../events/index.ts";
import type { Effect } from "./effect.ts";

/**
 * What follows from one event. `turn` is the state after it (before it, for a deletion); absent for
 * events that concern no turn. Pure, so that a rebuild cannot set anything off: it never asks.
 */
export function react(event: KnownEvent, turn: Turn | undefined): readonly Effect[] {
  // Its caller starts it; the alarm is for the case that it cannot.
  if (event.type === "WorkflowRequested") return [{ kind: "arm-workflows", when: "backstop" }];
  // A notification outlives its turn.
  if (event.type === "NotificationQueued") return [{ kind: "deliver", notificationId: event.data.notificationId }];
  if (event.type === "NotificationParked") return givenUp(event.data);
  if (event.type === "OccurrenceFailed") return [{ kind: "report", fault: failedTask(event.data) }];
  if (!turn) return [];
  switch (event.type) {
    case "TurnSubmitted":
      return [...created(turn), ...statusChanged(event, turn, "pending"), arm(turn)];
    case "TurnRequeued":
      return [...statusChanged(event, turn, "pending"), arm(turn)];
    case "TurnClaimed":
      return statusChanged(event, turn, "running");
    case "TurnCompleted":
      return ended(event, turn, "completed");
    case "TurnFailed":
      return ended(event, turn, "error", event.data.error);
    case "TurnSkipped":
      return ended(event, turn, "skipped", event.data.error);
    case "TurnAborted": {
      const { error } = event.data;
      const stop: Effect = { kind: "abort-turn", turnId: turn.submitted.turnId, reason: error };
      return [stop, ...ended(event, turn, "aborted", error)];
    }
    case "MessagesApplied":
    case "ToolCallStarted":
    case "StepFinished":
    case "AttemptInterrupted":
    case "MessageLinked":
    case "ToolAnswered":
    case "InteractionExpired":
    case "KeyBound":
    case "RetryMismatched":
    case "TurnDeleted":
    case "TombstoneExpired":
    case "LaneReset":
    case "NotificationDelivered":
    case "NotificationFailed":
    case "WorkflowStarted":
    case "WorkflowStartUnclear":
    case "WorkflowRequestFailed":
    case "WorkflowReported":
    case "TaskDeclared":
    case "TaskRejected":
    case "TaskRemoved":
    case "OccurrenceDue":
    case "OccurrenceStarted":
    case "OccurrenceFired":
    case "OccurrenceSkipped":
    case "ProjectionRebuilt":
      return [];
    default:
      return event satisfies never;
  }
}

/** Turns that are in the ledger; a blocking turn's caller hears of it directly. */
export const isSubmission = (turn: Turn): boolean => isForLater(turn.submitted);

/** A submission is run by the alarm; a blocking turn by its caller, with the alarm for the case that it cannot. */
const arm = (turn: Turn): Effect => ({ kind: "arm-lane", when: isSubmission(turn) ? "soon" : "backstop" });

function created(turn: Turn): readonly Effect[] {
  if (!isSubmission(turn)) return [];
  const { turnId, idempotencyKey } = turn.submitted;
  const payload = { submissionId: turnId, requestId: turnId, ...(idempotencyKey !== undefined && { idempotencyKey }) };
  return [{ kind: "emit", type: "submission:create", payload }];
}

function givenUp(data: EventData<"NotificationParked">): readonly Effect[] {
  const { turnId, workflowName, workflowId, eventType, attempts, reason } = data;
  const payload = { submissionId: turnId, workflowName, workflowId, eventType, attempts, error: reason };
  const what = `Event ${eventType} of submission ${turnId} for workflow ${workflowName} ${workflowId}`;
  return [
    { kind: "emit", type: "submission:notification_parked", payload },
    { kind: "report", fault: `${what} was given up after ${attempts} tries: ${reason}` },
  ];
}

const failedTask = ({ taskId, scheduledFor, attempts, error }: EventData<"OccurrenceFailed">): string =>
  `Scheduled task ${taskId} failed for ${new Date(scheduledFor).toISOString()} after ${attempts} attempts: ${error}`;

const ended = (event: KnownEvent, turn: Turn, status: string, error?: string): readonly Effect[] => [
  ...statusChanged(event, turn, status, error),
  { kind: "release-caller", turnId: turn.submitted.turnId, position: event.position },
];

function statusChanged(event: KnownEvent, turn: Turn, status: string, error?: string): readonly Effect[] {
  if (!isSubmission(turn)) return [];
  const { turnId } = turn.submitted;
  const ids = { submissionId: turnId, requestId: turnId };
  return [
    { kind: "emit", type: "submission:status", payload: { ...ids, status } },
    ...(error === undefined
      ? []
      : [{ kind: "emit", type: "submission:error", payload: { ...ids, error } } satisfies Effect]),
    { kind: "announce", stream: event.stream, position: event.position },
  ];
}
