import { END_STATUS, type EndEvent, type EventData, type KnownEvent, type TerminalStatus } from "../events/index.ts";

export type TurnStatus = "pending" | "running" | TerminalStatus;

/** What the deciders know of one turn: the fold of its stream. */
export type TurnState = {
  readonly stream: string;
  /** Events in the stream so far; 0 when there is no such turn. */
  readonly version: number;
  /** Absent when the turn never existed or was deleted. */
  readonly turn?: Turn;
  /** The key of a deleted turn that goes on answering retries. */
  readonly tombstone?: NonNullable<EventData<"TurnDeleted">["tombstone"]>;
  /** A retry with other messages is on record, in this life of the stream. */
  readonly mismatched?: true;
};

export type Turn = {
  readonly submitted: EventData<"TurnSubmitted">;
  /** Place in the lane. */
  readonly ordinal: number;
  readonly createdAt: number;
  readonly status: TurnStatus;
  /** Claims so far. */
  readonly attempts: number;
  /** The newest claim's epoch; settles with an older one are refused. */
  readonly epoch: number;
  readonly startedAt?: number;
  readonly completedAt?: number;
  /** The messages are in the conversation. */
  readonly applied: boolean;
  /** A tool ran, or may have run: doing this turn again would not be harmless. */
  readonly toolsStarted: boolean;
  readonly messageId?: string;
  /** Why it ended, where there is a reason. */
  readonly error?: string;
  /** Digest of the structured output. */
  readonly output?: string;
  readonly idempotencyKey?: string;
};

export const isTerminal = (status: TurnStatus): status is TerminalStatus =>
  status !== "pending" && status !== "running";

export const noTurn = (stream: string): TurnState => ({ stream, version: 0 });

/** Fold one event of the stream into the state. Unknown types only count. */
export function evolve(state: TurnState, event: KnownEvent): TurnState {
  const counted = { ...state, version: event.version };
  switch (event.type) {
    case "TurnSubmitted":
      return { stream: state.stream, version: event.version, turn: submittedTurn(event) };
    case "TurnClaimed":
      return change(counted, {
        status: "running",
        attempts: event.data.attempt,
        epoch: event.data.epoch,
        startedAt: event.at,
      });
    case "MessagesApplied":
      return change(counted, { applied: true });
    case "ToolCallStarted":
      return change(counted, { toolsStarted: true });
    case "TurnRequeued":
      return requeued(counted);
    case "TurnCompleted":
    case "TurnFailed":
    case "TurnAborted":
    case "TurnSkipped":
      return ended(counted, event);
    case "MessageLinked":
      return change(counted, { messageId: event.data.messageId });
    case "KeyBound":
      return change(counted, { idempotencyKey: event.data.idempotencyKey });
    case "RetryMismatched":
      return { ...counted, mismatched: true };
    case "TurnDeleted":
      return {
        stream: state.stream,
        version: event.version,
        ...(event.data.tombstone && { tombstone: event.data.tombstone }),
        ...(state.mismatched && { mismatched: true }),
      };
    case "TombstoneExpired":
      return { stream: state.stream, version: event.version };
    case "StepFinished":
    case "ToolAnswered":
    case "InteractionExpired":
    case "AttemptInterrupted":
    case "LaneReset":
    case "NotificationQueued":
    case "NotificationDelivered":
    case "NotificationFailed":
    case "NotificationParked":
    case "WorkflowRequested":
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
    case "OccurrenceFailed":
    case "OccurrenceSkipped":
    case "ProjectionRebuilt":
      return counted;
    default:
      return event satisfies never;
  }
}

/** A turn that was accepted, and nothing more. */
export const submittedTurn = ({ data, position, at }: SubmittedFacts): Turn => ({
  submitted: data,
  ordinal: position,
  createdAt: at,
  status: "pending",
  attempts: 0,
  epoch: 0,
  applied: false,
  toolsStarted: false,
  ...(data.idempotencyKey !== undefined && { idempotencyKey: data.idempotencyKey }),
});

type SubmittedFacts = { readonly data: EventData<"TurnSubmitted">; readonly position: number; readonly at: number };

const change = (state: TurnState, changes: Partial<Turn>): TurnState =>
  state.turn ? { ...state, turn: { ...state.turn, ...changes } } : state;

function requeued(state: TurnState): TurnState {
  if (!state.turn) return state;
  const { startedAt: _, ...turn } = state.turn;
  return { ...state, turn: { ...turn, status: "pending" } };
}

const ended = (state: TurnState, event: EndEvent): TurnState =>
  change(state, {
    status: END_STATUS[event.type],
    completedAt: event.at,
    ...("error" in event.data && event.data.error !== undefined && { error: event.data.error }),
    ...(event.data.messageId !== undefined && { messageId: event.data.messageId }),
    ...("output" in event.data && event.data.output !== undefined && { output: event.data.output }),
  });
