import { z } from "zod";

/**
 * The life of one turn. Facts only: message bodies, metadata and a turn's body are payloads, named here by
 * digest, so that content can be erased while these rows stay as they are.
 */

const digest = z.string().min(1);
const epoch = z.number().int().positive();
const time = z.number().int();

/** Where a workflow waits for the outcome. Never part of public metadata, so nobody can forge it. */
const workflowOrigin = z.object({
  kind: z.literal("workflow"),
  workflowName: z.string(),
  workflowId: z.string(),
  /** The name given to `step.prompt()`. */
  stepName: z.string(),
  eventType: z.string(),
  /** The JSON schema of the structured output; without it the turn is an ordinary one. */
  schema: z.record(z.string(), z.unknown()).optional(),
  /** Hash of prompt and schema: tells whoever reads the log whether two prompts were the same. */
  fingerprint: z.string().optional(),
});

const turnTrigger = z.enum([
  "ws-chat",
  "rpc",
  "programmatic",
  "submission",
  "scheduled",
  "agent-tool",
  "auto-continuation",
  "recovery-continue",
  "recovery-retry",
]);

/** Durable acceptance. Opens the stream: its position is the turn's place in the lane. */
export const turnSubmitted = z.object({
  turnId: z.string().min(1),
  trigger: turnTrigger,
  generation: z.number().int().nonnegative(),
  idempotencyKey: z.string().optional(),
  /** The submitted messages. Absent when they are made only at the head of the lane (function input). */
  payload: digest.optional(),
  messageIds: z.array(z.string()),
  metadata: digest.optional(),
  channel: z.string().optional(),
  /** Adds an answer without a new user message. */
  continuation: z.boolean().optional(),
  /** The message that it goes on with, where it does so by itself: when that is not the end any more, it is skipped. */
  continues: z.string().optional(),
  /** The turns of other agents that wait for this one: `<agent id>/<request id>`, the first asked first. */
  calledFrom: z.array(z.string()).optional(),
  /** The caller's own data for this turn. */
  body: digest.optional(),
  /** Tools that the client runs, as it described them. */
  clientTools: digest.optional(),
  /**
   * Where it branches off: the stored message that is answered anew, or that an edited message comes after; `null`: an
   * edited message that comes first.
   */
  branchFrom: z.string().min(1).nullable().optional(),
  origin: workflowOrigin.optional(),
});

/** Taken from the head of the lane. A claim is an attempt: it is on record before the model is called. */
export const turnClaimed = z.object({ attempt: z.number().int().positive(), epoch });

/** The submitted messages entered the conversation, in this very commit: those that were not in it already. */
export const messagesApplied = z.object({
  epoch,
  messageIds: z.array(z.string()),
  parentId: z.string().nullable(),
});

/** On record before the tool runs: after a crash it tells that the outcome is unknown. */
export const toolCallStarted = z.object({
  epoch,
  step: z.number().int(),
  toolCallId: z.string(),
  toolName: z.string(),
});

/** One model step, with what it cost and what its tools did. */
export const stepFinished = z.object({
  epoch,
  step: z.number().int(),
  finishReason: z.string(),
  usage: z.object({
    inputTokens: z.number().optional(),
    outputTokens: z.number().optional(),
    totalTokens: z.number().optional(),
  }),
  toolCalls: z.array(
    z.object({
      toolCallId: z.string(),
      toolName: z.string(),
      outcome: z.enum(["ok", "error", "none"]),
      durationMs: z.number().optional(),
    }),
  ),
});

/** The object stopped in the middle of an attempt; found at the next wake. */
export const attemptInterrupted = z.object({ attempt: z.number().int(), epoch, reason: z.string() });

/** Back to its old place at the head of the lane. */
export const turnRequeued = z.object({ reason: z.string() });

const ended = {
  /** The claim that ended it; absent when it never ran. */
  epoch: epoch.optional(),
  startedAt: time.optional(),
  /** The assistant message stored in this commit. */
  messageId: z.string().optional(),
};

/** `output`: the structured output of a workflow's prompt. */
export const turnCompleted = z.object({ ...ended, output: digest.optional() });
export const turnFailed = z.object({ ...ended, error: z.string().min(1) });
export const turnAborted = z.object({ ...ended, error: z.string().optional(), messagesApplied: z.boolean() });
export const turnSkipped = z.object({
  ...ended,
  error: z.string().min(1),
  /** The later turn that runs in its place, and brings its messages. */
  supersededBy: z.string().optional(),
});

/** The partial answer of an aborted turn, stored after the abort was on record. */
export const messageLinked = z.object({ epoch, messageId: z.string() });

const toolCall = {
  /** The stored message that holds the call. */
  messageId: z.string(),
  toolCallId: z.string(),
  toolName: z.string(),
};

/** A client gave the result of a tool that it runs, or a person decided about a call. The content is in the message. */
export const toolAnswered = z.object({
  ...toolCall,
  answer: z.enum(["output", "error", "approved", "denied"]),
  /** The client wants the answer to go on when nothing else is missing. */
  continues: z.boolean(),
});

/** Nobody answered a call in time: it ended as an error, so that the conversation can go on. */
export const interactionExpired = z.object({ ...toolCall, reason: z.string().min(1) });

/** A retry by id brought a key to a turn that had none. */
export const keyBound = z.object({ idempotencyKey: z.string() });

/** A retry came under a known id or key with other messages, for the first time. The new ones are not kept. */
export const retryMismatched = z.object({ messageCount: z.number().int() });

/** Removed from the ledger; the stream stays. */
export const turnDeleted = z.object({
  /** Set when the key must go on answering retries: the outcome to answer with. */
  tombstone: z
    .object({
      idempotencyKey: z.string(),
      submissionId: z.string(),
      status: z.enum(["completed", "aborted", "skipped", "error"]),
      createdAt: time,
      completedAt: time,
      payload: digest.optional(),
      /** Absent: for ever. */
      expiresAt: time.optional(),
    })
    .optional(),
});

/** The retention of a deleted submission's key is over: the key is free again. */
export const tombstoneExpired = z.object({ idempotencyKey: z.string() });
