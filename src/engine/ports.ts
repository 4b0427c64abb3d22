import type { UIMessage } from "ai";
import type { Outcome, Turn } from "../commands/index.ts";
import type { EventData, TerminalStatus } from "../events/index.ts";
import type { ChatResponseResult, ThinkSubmissionInspection } from "../types.ts";
import type { HeldInput, TurnInput } from "./lane/turn-inputs.ts";

/**
 * What the engine needs from the world. Production wires these to the Durable Object; tests give their
 * own, so that no product class needs a method for tests.
 */

/** Epoch milliseconds. In production the clock stands still between two I/O operations. */
export type Clock = { readonly now: () => number };

export type Ids = {
  readonly uuid: () => string;
  /** Unguessable text that keeps a payload's digest from confirming a guess. */
  readonly salt: () => string;
};

/** The one alarm of the object, as far as the lane is concerned. */
export type LaneAlarm = {
  /** Have the lane woken, also after this object is gone: at once, or only if nobody takes the alarm down. */
  readonly arm: (when: "soon" | "backstop") => Promise<void>;
  /** Set it again if it was lost. Writes nothing when it is there. */
  readonly ensure: () => Promise<void>;
  /** The lane is empty: no wake is needed any more. */
  readonly disarm: () => Promise<void>;
};

/** The conversation that turns write to. */
export type Conversation = {
  /** Make the in-memory view complete. Everything below may be called only afterwards. */
  readonly ready: () => Promise<void>;
  /** Is it complete now? */
  readonly isReady: () => boolean;
  /** The active path, oldest first. */
  readonly messages: () => readonly UIMessage[];
  /** The stored message the path ends at. Not always the last of `messages`: that can be a summary, or missing. */
  readonly leafId: () => string | null;
  /** Look which of the messages are stored already. The view is complete afterwards. */
  readonly compare: (messages: readonly UIMessage[]) => Promise<Comparison>;
  /** Make the path to a stored message the active one. `false`: there is no such message. */
  readonly branch: (messageId: string) => Promise<boolean>;
  /** Synchronous writes for use inside a transaction of the engine. */
  readonly write: () => ConversationWrite;
};

export type Comparison = {
  /** Messages whose id is not stored yet, each id once. */
  readonly fresh: readonly UIMessage[];
  /** Ids that are stored, but with another role or other parts. */
  readonly changed: readonly string[];
};

/** A set of writes that lives and dies with the transaction it is made in. */
export type ConversationWrite = {
  /** Attach messages in a chain below `parentId` (`null`: a new root). `false`: one was stored before, and is now changed. */
  readonly append: (messages: readonly UIMessage[], parentId: string | null) => boolean;
  /** Call after the commit: the in-memory view follows, and listeners hear of it. */
  readonly committed: () => void;
  /** Call instead when the transaction rolled back. */
  readonly rolledBack: () => void;
};

/** A turn that was claimed and is to be run. */
export type ClaimedTurn = {
  readonly turnId: string;
  readonly epoch: number;
  readonly turn: Turn;
  readonly input: TurnInput;
  /** What a caller who waits gave along; nothing after a restart. */
  readonly held: HeldInput;
};

/** What a running turn puts on record about itself. `false`: the claim is lost, nothing was written. */
export type TurnRecorder = {
  /** The messages that a caller's function made enter the conversation. */
  readonly applyMessages: (messages: readonly UIMessage[]) => Promise<boolean>;
  readonly toolStarts: (call: { step: number; toolCallId: string; toolName: string }) => boolean;
  readonly stepFinished: (step: StepRecord) => boolean;
  /** The end: steps not on record yet, the assistant message and the outcome are one commit. */
  readonly settle: (end: TurnEnd) => Promise<Settled>;
};

export type StepRecord = Omit<EventData<"StepFinished">, "epoch">;

/** One attempt: the turn's place in the log, and its claim. */
export type AttemptId = { readonly ordinal: number; readonly epoch: number };

/** Answers that are kept while they stream, so that one that is cut off is not lost. */
export type AnswerStreams = {
  /** In the commit that ends an attempt: what was kept of its answer goes. */
  readonly discard: (attempt: AttemptId) => void;
  /** No attempt is under way: what is kept of any was left behind, and goes. */
  readonly sweep: () => Promise<void>;
  /** What an attempt that was cut off had answered, as far as it was kept. */
  readonly interrupted: (turn: Turn) => Promise<InterruptedAnswer | undefined>;
};

export type InterruptedAnswer = {
  /** Absent when there is nothing worth keeping. */
  readonly message?: UIMessage;
  /** What it changed of earlier messages. */
  readonly changed: (messages: readonly UIMessage[]) => readonly UIMessage[];
  /** Synchronous, in the commit that deals with it. */
  readonly discard: () => void;
};

export type TurnEnd = {
  readonly outcome: Outcome;
  /** The assistant message; absent when the turn produced nothing worth keeping. */
  readonly message?: UIMessage;
  /** Stored messages that the answer changed: an approved call ran, say. */
  readonly changed?: readonly UIMessage[];
  /** JSON of the structured output of a completed turn; kept until the submission is deleted. */
  readonly output?: string;
  readonly steps: readonly StepRecord[];
};

/** `reset`: the lane was reset meanwhile, and nothing of this attempt is kept or told. */
export type Settled = "kept" | "reset";

/**
 * Runs a claimed turn to its settlement. Whatever goes wrong is an outcome, not a rejection.
 *
 * @param cancelled - The turn was cancelled or reset. The caller's own signal is in `claimed.held`.
 */
export type TurnRunner = (claimed: ClaimedTurn, record: TurnRecorder, cancelled: AbortSignal) => Promise<TurnRun>;

/** What is to be told of a run, besides its record. */
export type TurnRun = {
  /** Thrown before the model was called; such a fault rejects the promise of a caller who waits. */
  readonly thrown?: unknown;
  /** The parsed structured output. */
  readonly output?: unknown;
  /** For the response hook; absent when the turn never got that far, or was reset. */
  readonly response?: ChatResponseResult;
};

/** Sends an event to an instance of a workflow. Rejects when it could not, for whatever reason. */
export type WorkflowSender = {
  readonly send: (workflowName: string, workflowId: string, event: WorkflowEvent) => Promise<void>;
};

export type WorkflowEvent = { readonly type: string; readonly payload: OutcomeOfPrompt };

/** What a workflow hears of the prompt it waits for. */
export type OutcomeOfPrompt = {
  readonly submissionId: string;
  readonly status: TerminalStatus;
  /** The structured output of a completed prompt. */
  readonly output?: unknown;
  readonly error?: string;
};

/** The alarm, as far as the outbox is concerned. */
export type OutboxAlarm = {
  /** When the outbox is to be woken, in epoch milliseconds. */
  readonly time: () => number | undefined;
  readonly set: (time: number) => Promise<void>;
  readonly cancel: () => Promise<void>;
  /** Will this object be woken soon, by whatever of ours, should it stop now? */
  readonly covered: () => boolean;
};

export type Telemetry = { readonly emit: (type: string, payload: Record<string, unknown>) => void };

/** The subclass's hook for finished turns, or nothing when it has none. */
export type ResponseHook = ((response: ChatResponseResult) => void | Promise<void>) | undefined;

/** The subclass's hook, or nothing when it has none. */
export type StatusHook = ((submission: ThinkSubmissionInspection) => void | Promise<void>) | undefined;
