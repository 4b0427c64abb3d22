import type { ClientToolExecutor, ClientToolSchema } from "agents/chat";
import type { UIMessage } from "ai";
import type { AnyValue, RpcMessage } from "./rpc-types.ts";

export type * from "./rpc-types.ts";

/** The states of a submission. The last four are terminal and never change. */
export type ThinkSubmissionStatus = "pending" | "running" | "completed" | "aborted" | "skipped" | "error";

/** What is known of one submission. Times are epoch milliseconds. */
export type ThinkSubmissionInspection = {
  submissionId: string;
  idempotencyKey?: string;
  /** The id of the turn that runs this submission, as hooks and telemetry name it. */
  requestId?: string;
  status: ThinkSubmissionStatus;
  /** Why it ended, for `error`, `aborted` and `skipped`. */
  error?: string;
  metadata?: Record<string, AnyValue>;
  createdAt: number;
  startedAt?: number;
  completedAt?: number;
  /** The assistant message this submission stored; absent when it stored none. */
  messageId?: string;
};

/** Options of {@link Think.submitMessages}. */
export type SubmitMessagesOptions = {
  /** Your own id for the submission; a UUID otherwise. */
  submissionId?: string | undefined;
  /** A key under which a retry finds the first submission instead of making a second one. */
  idempotencyKey?: string | undefined;
  /** JSON data kept with the submission and returned by every inspection. */
  metadata?: Record<string, unknown> | undefined;
  /** Stamped on the user messages as `metadata.channel`. */
  channel?: string | undefined;
};

/** The receipt of {@link Think.submitMessages}. */
export type SubmitMessagesResult = ThinkSubmissionInspection & {
  /** `false` when the id or the key was known already: this is the first submission's record. */
  accepted: boolean;
  /** `true` when the key was known, but with another payload; the new payload was ignored. */
  payloadMismatch?: boolean;
};

/** Options of {@link Think.listSubmissions}. */
export type ListSubmissionsOptions = {
  status?: ThinkSubmissionStatus | ThinkSubmissionStatus[] | undefined;
  /** 1 to 100; 50 when absent. */
  limit?: number | undefined;
};

/** Options of {@link Think.deleteSubmissions}. */
export type DeleteSubmissionsOptions = {
  /** Terminal statuses to delete; all four when absent. */
  status?: ThinkSubmissionStatus | ThinkSubmissionStatus[] | undefined;
  /** Only those that ended strictly before this time. */
  completedBefore?: Date | undefined;
  /** 1 to 500; 100 when absent. */
  limit?: number | undefined;
};

/** Options of {@link Think.waitForSubmission}. */
export type WaitForSubmissionOptions = {
  /** Milliseconds after which the wait resolves with the record as it is then. */
  timeoutMs?: number | undefined;
};

/** The outcome of {@link Think.cancelSubmission}. */
export type CancelSubmissionResult =
  | { outcome: "not_found"; submissionId: string }
  | { outcome: "already_terminal"; submissionId: string; submission: ThinkSubmissionInspection }
  | {
      outcome: "cancelled";
      submissionId: string;
      previousStatus: "pending" | "running";
      /** Whether the submitted messages had entered the conversation. */
      messagesApplied: boolean;
      submission: ThinkSubmissionInspection;
    };

/** Options of {@link Think.saveMessages}. */
export type SaveMessagesOptions = {
  signal?: AbortSignal | undefined;
  /** {@link Think.callChain} of the agent that calls from inside a turn. */
  calledFrom?: readonly string[] | undefined;
};

/** How a blocking turn ended. */
export type SaveMessagesResult = {
  requestId: string;
  status: "completed" | "error" | "skipped" | "aborted";
  error?: string;
};

/** A finished turn, as {@link Think.onChatResponse} hears of it. */
export type ChatResponseResult = {
  /** The assistant message as stored; without parts when there was nothing to store. */
  message: UIMessage;
  requestId: string;
  continuation: boolean;
  status: "completed" | "error" | "aborted";
  error?: string;
  /** Told again after a restart, because the object stopped before the hook had returned. */
  recovered?: boolean;
};

/** Options of {@link Think.addMessages}. */
export type AddMessagesOptions = {
  /** The message to attach to: `null` for a new root; the latest message when absent. */
  parentId?: string | null | undefined;
  /** `append` (default) leaves known ids as they are; `upsert` replaces their content. */
  mode?: "append" | "upsert" | undefined;
  /** Tell connected clients; `true` when absent. */
  broadcast?: boolean | undefined;
};

/** Messages, or a function of the conversation so far that returns them. */
export type MessagesInput = UIMessage[] | ((current: UIMessage[]) => UIMessage[] | Promise<UIMessage[]>);

/** What started a turn. */
export type TurnTrigger =
  | "ws-chat"
  | "rpc"
  | "programmatic"
  | "submission"
  | "scheduled"
  | "agent-tool"
  | "auto-continuation"
  | "recovery-continue"
  | "recovery-retry";

/** The turn that the calling code is part of. */
export type ActiveTurn = { requestId: string; trigger: TurnTrigger; continuation: boolean; channel?: string };

/** What a turn may be given: text, a message, messages, or a function of the conversation so far. */
export type TurnInputMessages = string | UIMessage | MessagesInput;

/** Options that every kind of turn has. */
export interface RunTurnBase {
  input?: TurnInputMessages | undefined;
  /** Stamped on the user messages as `metadata.channel`. */
  channel?: string | undefined;
}

/** A turn whose end is waited for. */
export interface RunTurnWait extends RunTurnBase {
  mode?: "wait" | undefined;
  /** Add an answer to the conversation as it is, instead of `input`. */
  continuation?: boolean | undefined;
  /** The caller's own data, for `beforeTurn`. */
  body?: Record<string, unknown> | undefined;
  signal?: AbortSignal | undefined;
  /** {@link Think.callChain} of the agent that calls from inside a turn. */
  calledFrom?: readonly string[] | undefined;
}

/** A turn that is accepted now and run later. */
export interface RunTurnSubmit extends RunTurnBase {
  mode: "submit";
  submissionId?: string | undefined;
  idempotencyKey?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** A turn whose answer is streamed to a callback. */
export interface RunTurnStream extends RunTurnBase {
  mode: "stream";
  callback: StreamCallback;
  clientTools?: ClientToolSchema[] | undefined;
  onClientToolCall?: ClientToolExecutor | undefined;
  signal?: AbortSignal | undefined;
  /** {@link Think.callChain} of the agent that calls from inside a turn. */
  calledFrom?: readonly string[] | undefined;
}

export type RunTurnOptions = RunTurnWait | RunTurnSubmit | RunTurnStream;

/** How a turn ended whose end was waited for. */
export type TurnResult = SaveMessagesResult & {
  /** The assistant message of a completed turn, as stored. */
  message?: UIMessage;
  /** Parsed structured output, when `beforeTurn` asked for one. */
  output?: unknown;
  continuation: boolean;
};

/** The same over RPC. */
export type RpcTurnResult = Omit<TurnResult, "message" | "output"> & { message?: RpcMessage; output?: AnyValue };

/** A streamed turn begins. */
export interface ChatStartEvent {
  requestId: string;
}

/** A streamed turn was cut off. */
export interface ChatInterruptedInfo {
  /** The answer will be delivered another way once it is recovered. */
  deliversRecoveredReply?: boolean;
}

/** Hears a streamed turn. After `onStart`, exactly one of `onDone`, `onError` and `onInterrupted` is the last call. */
export interface StreamCallback {
  onStart(event: ChatStartEvent): void | Promise<void>;
  /** One UI message chunk as JSON; awaited before the next. */
  onEvent(json: string): void | Promise<void>;
  onDone(): void | Promise<void>;
  onError(error: string): void | Promise<void>;
  onInterrupted?(info?: ChatInterruptedInfo): void | Promise<void>;
}

/** Options of {@link Think.chat}. */
export interface ChatOptions {
  signal?: AbortSignal | undefined;
  /** Tools that the caller runs, for this turn. */
  clientTools?: ClientToolSchema[] | undefined;
  onClientToolCall?: ClientToolExecutor | undefined;
  channel?: string | undefined;
  /** Kept on the user messages, and given by `activeTurnMetadata` while the turn runs. */
  metadata?: Record<string, unknown> | undefined;
  /** {@link Think.callChain} of the agent that calls from inside a turn. */
  calledFrom?: readonly string[] | undefined;
}

/** Filters and page of {@link Think.auditLog}. */
export type AuditLogOptions = {
  submissionId?: string | undefined;
  /** Only what is about this workflow: its start and end, the prompts it waits for, and their notifications. */
  workflowId?: string | undefined;
  types?: string[] | undefined;
  /** Only events after this position. */
  afterPosition?: number | undefined;
  /** `asc` (oldest first) when absent. */
  order?: "asc" | "desc" | undefined;
  /** 1 to 500; 100 when absent. */
  limit?: number | undefined;
  /** The cursor of the page before. */
  cursor?: string | undefined;
};

/** One immutable event as the audit query returns it. */
export type AuditEvent = {
  position: number;
  stream: string;
  version: number;
  type: string;
  schemaVersion: number;
  /** Epoch milliseconds. */
  at: number;
  actor: string;
  correlationId: string;
  causationId: string;
  data: AnyValue;
};

/** One page of {@link Think.auditLog}. */
export type AuditLogPage = { events: AuditEvent[]; /** Absent on the last page. */ cursor?: string };

/** Of a notification that is not delivered yet: it will be tried, or it was given up. */
export type NotificationState = "due" | "parked";

/** Filters of {@link Think.listNotifications}. */
export type ListNotificationsOptions = {
  /** Both when absent. */
  state?: NotificationState;
  /** 50 when absent; brought into the range from 1 to 500. */
  limit?: number;
};

/** The outcome of a prompt that its workflow has not been told of. */
export type ThinkNotification = {
  notificationId: string;
  submissionId: string;
  workflowName: string;
  workflowId: string;
  eventType: string;
  state: NotificationState;
  /** Deliveries tried. */
  attempts: number;
  /** Epoch milliseconds of the next try; absent when it was given up. */
  dueAt?: number;
  /** Why the last try failed, or why it was given up. */
  error?: string;
};

/** Argument of {@link Think.replayNotifications}. */
export type ReplayNotificationsOptions = { ids: string[] };

/** A scheduled task as {@link Think.listScheduledTasks} shows it. Times are epoch milliseconds. */
export type ScheduledTaskInspection = {
  taskId: string;
  /** Absent, as is the schedule, when the declaration was never usable. */
  action?: "prompt" | "handler";
  /** As it was understood: lower case, single spaces. */
  schedule?: string;
  timezone?: string;
  /** The slot that comes next, or is being run; absent when there is none. */
  next?: number;
  /** The slot that was used last, and what became of it. */
  last?: TaskRun;
  /** Why the declaration cannot be used. */
  problem?: string;
};

/** What became of one slot of a task. */
export type TaskRun = {
  scheduledFor: number;
  /** When this went on record: later than the slot, when the run was late or long. */
  at: number;
  outcome: "fired" | "failed";
  error?: string;
  /** Of a prompt that was submitted. */
  submissionId?: string;
};

/** Filters and page of {@link Think.listOccurrences}. */
export type ListOccurrencesOptions = {
  taskId: string;
  /** 50 when absent; brought into the range from 1 to 500. */
  limit?: number | undefined;
  /** The cursor of the page before. */
  cursor?: string | undefined;
};

/** What became of a slot of a scheduled task, or of several that were skipped together. Times are epoch milliseconds. */
export type TaskOccurrence = { taskId: string; /** When it went on record. */ at: number } & (
  | { outcome: "fired"; scheduledFor: number; attempts: number; /** Of a prompt. */ submissionId?: string }
  | { outcome: "failed"; scheduledFor: number; attempts: number; error: string }
  /** From the slot `scheduledFor` to the slot `until`. */
  | { outcome: "skipped"; scheduledFor: number; until: number; count: number }
  /** It waited when its task was changed or removed, and never came. */
  | { outcome: "cancelled"; scheduledFor: number }
);

/** One page of {@link Think.listOccurrences}, newest first. */
export type OccurrencePage = { occurrences: TaskOccurrence[]; /** Absent on the last page. */ cursor?: string };

/** What {@link Think.rebuildProjections} found in one read model. */
export type ProjectionRebuild = {
  name: string;
  /** Version of the read model's code. */
  version: number;
  /** Events in the log that was folded. */
  events: number;
  /** Events of types that this version does not know: kept in the log, and not part of any read model. */
  ignored: number;
  /** Rows that were missing, extra or different, and are right now. */
  differences: number;
};

/** The answer of {@link Think.verifyLog}. */
export type LogVerification = {
  ok: boolean;
  /** How many events were checked. */
  events: number;
  /** The hash of the newest event: keep it elsewhere to prove later that nothing before it changed. */
  head: string;
  /** The first event that does not fit, and why. */
  firstDivergence?: { position: number; reason: string };
};
