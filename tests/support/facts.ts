import {
  type EventData,
  type EventType,
  LANE_STREAM,
  scheduleStream,
  turnStream,
  workflowStream,
} from "../../src/events/index.ts";
import type { Told } from "../../src/testing/specify-decider.ts";

/** Events as specifications tell them: everything that must be there, with what the case is about on top. */

const event =
  <T extends EventType>(type: T, data: EventData<T>) =>
  (over: Partial<EventData<T>> = {}) =>
    ({ type, data: { ...data, ...over } }) as { readonly type: T; readonly data: EventData<T> };

export const T1 = turnStream("t1");
export const T2 = turnStream("t2");

export const submitted = event("TurnSubmitted", {
  turnId: "t1",
  trigger: "submission",
  generation: 0,
  payload: "digest-1",
  messageIds: ["m1"],
});
export const claimed = event("TurnClaimed", { attempt: 1, epoch: 1 });
export const applied = event("MessagesApplied", { epoch: 1, messageIds: ["m1"], parentId: null });
export const toolStarted = event("ToolCallStarted", { epoch: 1, step: 0, toolCallId: "c1", toolName: "weather" });
export const stepFinished = event("StepFinished", {
  epoch: 1,
  step: 0,
  finishReason: "stop",
  usage: { inputTokens: 10 },
  toolCalls: [],
});
export const interrupted = event("AttemptInterrupted", {
  attempt: 1,
  epoch: 1,
  reason: "The object stopped while this attempt was running.",
});
export const requeued = event("TurnRequeued", { reason: "The object stopped while this attempt was running." });
export const completed = event("TurnCompleted", { epoch: 1 });
export const failed = event("TurnFailed", { epoch: 1, error: "boom" });
export const aborted = event("TurnAborted", { messagesApplied: false });
export const cancelledWhileWaiting = aborted({ error: "stop" });
export const skipped = event("TurnSkipped", { error: "Submission was skipped by turn reset." });
export const linked = event("MessageLinked", { epoch: 1, messageId: "a1" });
const call = { messageId: "a1", toolCallId: "c1", toolName: "getTimeZone" };
export const toolAnswered = event("ToolAnswered", { ...call, answer: "output", continues: true });
export const interactionExpired = event("InteractionExpired", {
  ...call,
  reason: "Nobody answered within 60 seconds.",
});
export const keyBound = event("KeyBound", { idempotencyKey: "k" });
export const mismatched = event("RetryMismatched", { messageCount: 1 });
export const deleted = event("TurnDeleted", {});
export const tombstoneExpired = event("TombstoneExpired", { idempotencyKey: "k" });
const target = { turnId: "t1", ordinal: 1, workflowName: "REPORT", workflowId: "w1", eventType: "thinklog-prompt" };
export const queued = event("NotificationQueued", {
  notificationId: "t1/1",
  ...target,
});
export const delivered = event("NotificationDelivered", { notificationId: "t1/1", attempt: 1 });
export const deliveryFailed = event("NotificationFailed", {
  notificationId: "t1/1",
  attempt: 1,
  error: "unreachable",
  retryAt: 2000,
});
export const W1 = workflowStream("w1");
const w1 = { workflowName: "REPORT", workflowId: "w1" };
export const workflowRequested = event("WorkflowRequested", { ...w1, params: "digest-params" });
export const workflowStarted = event("WorkflowStarted", { ...w1, adopted: false });
export const workflowStartUnclear = event("WorkflowStartUnclear", { ...w1, error: "unreachable" });
export const workflowRequestFailed = event("WorkflowRequestFailed", { ...w1, error: "refused" });
export const workflowReported = event("WorkflowReported", { ...w1, kind: "complete" });
export const parked = event("NotificationParked", {
  notificationId: "t1/1",
  ...target,
  attempts: 1,
  reason: "instance gone",
});
export const D1 = scheduleStream("digest");
/** A slot of the hourly task, and the one after it. */
export const NINE = Date.UTC(2030, 0, 7, 9);
export const TEN = Date.UTC(2030, 0, 7, 10);
export const taskDeclared = event("TaskDeclared", {
  taskId: "digest",
  action: "prompt",
  schedule: "every 1 hour",
  scheduleKey: "every 3600000",
  fingerprint: "as-first-written",
  anchor: NINE - 3_600_000,
});
export const taskRejected = event("TaskRejected", { taskId: "digest", error: "Duplicate schedule day" });
export const taskRemoved = event("TaskRemoved", { taskId: "digest" });
const nine = { taskId: "digest", scheduledFor: NINE };
export const occurrenceDue = event("OccurrenceDue", nine);
export const occurrenceStarted = event("OccurrenceStarted", { ...nine, start: 1 });
export const occurrenceFired = event("OccurrenceFired", { ...nine, attempts: 1 });
export const occurrenceFailed = event("OccurrenceFailed", { ...nine, attempts: 3, error: "no network" });
export const occurrenceSkipped = event("OccurrenceSkipped", { taskId: "digest", first: TEN, last: TEN, count: 1 });
export const laneReset = event("LaneReset", { generation: 1, reason: "reset" });
export const rebuilt = event("ProjectionRebuilt", { name: "queue", version: 1, events: 9, differences: 1 });

/** Where a workflow waits for the turn. */
export const origin = {
  kind: "workflow",
  workflowName: "REPORT",
  workflowId: "w1",
  stepName: "summarise",
  eventType: "thinklog-prompt",
} as const;

export const TOMBSTONE = {
  idempotencyKey: "k",
  submissionId: "t1",
  status: "completed",
  createdAt: 0,
  completedAt: 0,
  payload: "digest-1",
} as const;

/** The same event on another stream, or at another time. */
export const on = <E extends Told>(stream: string, told: E): E & { readonly stream: string } => ({ ...told, stream });
export const at = <E extends Told>(time: number, told: E): E & { readonly at: number } => ({ ...told, at: time });
export const onLane = <E extends Told>(told: E): E & { readonly stream: string } => on(LANE_STREAM, told);
