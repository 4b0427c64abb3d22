import type { z } from "zod";
import type { ProposedEvent, StoredEvent } from "./envelope.ts";
import { laneReset } from "./lane.ts";
import { notificationDelivered, notificationFailed, notificationParked, notificationQueued } from "./notification.ts";
import { projectionRebuilt } from "./projection.ts";
import * as schedule from "./schedule.ts";
import * as turn from "./turn.ts";
import * as workflow from "./workflow.ts";

/**
 * Every event there is: its schema and the version of that schema. Adding one is a line here; `tsc`
 * then lists every exhaustive switch that must answer it.
 */
export const catalogue = {
  TurnSubmitted: { version: 1, schema: turn.turnSubmitted },
  TurnClaimed: { version: 1, schema: turn.turnClaimed },
  MessagesApplied: { version: 1, schema: turn.messagesApplied },
  ToolCallStarted: { version: 1, schema: turn.toolCallStarted },
  StepFinished: { version: 1, schema: turn.stepFinished },
  AttemptInterrupted: { version: 1, schema: turn.attemptInterrupted },
  TurnRequeued: { version: 1, schema: turn.turnRequeued },
  TurnCompleted: { version: 1, schema: turn.turnCompleted },
  TurnFailed: { version: 1, schema: turn.turnFailed },
  TurnAborted: { version: 1, schema: turn.turnAborted },
  TurnSkipped: { version: 1, schema: turn.turnSkipped },
  MessageLinked: { version: 1, schema: turn.messageLinked },
  ToolAnswered: { version: 1, schema: turn.toolAnswered },
  InteractionExpired: { version: 1, schema: turn.interactionExpired },
  KeyBound: { version: 1, schema: turn.keyBound },
  RetryMismatched: { version: 1, schema: turn.retryMismatched },
  TurnDeleted: { version: 1, schema: turn.turnDeleted },
  TombstoneExpired: { version: 1, schema: turn.tombstoneExpired },
  LaneReset: { version: 1, schema: laneReset },
  NotificationQueued: { version: 1, schema: notificationQueued },
  NotificationDelivered: { version: 1, schema: notificationDelivered },
  NotificationFailed: { version: 1, schema: notificationFailed },
  NotificationParked: { version: 1, schema: notificationParked },
  WorkflowRequested: { version: 1, schema: workflow.workflowRequested },
  WorkflowStarted: { version: 1, schema: workflow.workflowStarted },
  WorkflowStartUnclear: { version: 1, schema: workflow.workflowStartUnclear },
  WorkflowRequestFailed: { version: 1, schema: workflow.workflowRequestFailed },
  WorkflowReported: { version: 1, schema: workflow.workflowReported },
  TaskDeclared: { version: 1, schema: schedule.taskDeclared },
  TaskRejected: { version: 1, schema: schedule.taskRejected },
  TaskRemoved: { version: 1, schema: schedule.taskRemoved },
  OccurrenceDue: { version: 1, schema: schedule.occurrenceDue },
  OccurrenceStarted: { version: 1, schema: schedule.occurrenceStarted },
  OccurrenceFired: { version: 1, schema: schedule.occurrenceFired },
  OccurrenceFailed: { version: 1, schema: schedule.occurrenceFailed },
  OccurrenceSkipped: { version: 1, schema: schedule.occurrenceSkipped },
  ProjectionRebuilt: { version: 1, schema: projectionRebuilt },
} as const;

type Catalogue = typeof catalogue;

export type EventType = keyof Catalogue;

/** The facts of one type of event. */
export type EventData<T extends EventType> = z.infer<Catalogue[T]["schema"]>;

/** A proposed event of a known type. */
export type ThinkEvent = { [T in EventType]: ProposedEvent<T, EventData<T>> }[EventType];

/** A stored event of a known type, as folds see it. */
export type KnownEvent = { [T in EventType]: StoredEvent<T, EventData<T>> }[EventType];

/** A stored event of a type this version does not know: kept, counted, never folded. */
export type UnknownEvent = StoredEvent & { readonly unknown: true };

export const isKnownType = (type: string): type is EventType => Object.hasOwn(catalogue, type);

/** The event that opens a stream's life: its position becomes the ordinal of all that follow. */
export const OPENING: EventType = "TurnSubmitted";
