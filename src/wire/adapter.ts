// The only file of the wire that knows `agents/chat`, which is exported but not documented: every minor release may
// change it, so tests/wire/adapter.node.test.ts pins what is relied on here.
import {
  CHAT_MESSAGE_TYPES,
  STREAM_RESUME_NONE_REASONS,
  toolApprovalUpdate,
  sanitizeMessage,
  toolResultUpdate,
  type ChatTurnOutcome,
  type ClientToolSchema,
} from "agents/chat";
import type { UIMessage } from "ai";

export type { ChatTurnOutcome, ClientToolSchema };

/** The value of `type` of every frame, by its meaning. */
export const FRAMES = CHAT_MESSAGE_TYPES;

export const RESUME_NONE = STREAM_RESUME_NONE_REASONS;
export type ResumeNoneReason = (typeof RESUME_NONE)[keyof typeof RESUME_NONE];

export type MessagePart = UIMessage["parts"][number];

/** The message as the session keeps it. */
export const asStored = (message: UIMessage): UIMessage => sanitizeMessage(message);

/** What a tool in the browser gave. */
export type ClientToolOutcome =
  | { readonly state: "output-available"; readonly output: unknown }
  | { readonly state: "output-error"; readonly errorText?: string };

/** The part with the outcome in it. Whether it may have one is not asked here. */
export function withOutcome(part: MessagePart, toolCallId: string, outcome: ClientToolOutcome): MessagePart {
  const update =
    outcome.state === "output-error"
      ? toolResultUpdate(toolCallId, undefined, "output-error", outcome.errorText)
      : toolResultUpdate(toolCallId, outcome.output);
  return update.apply(part as Record<string, unknown>) as MessagePart;
}

/** The part with a person's decision in it. Whether it waits for one is not asked here. */
export function withApproval(part: MessagePart, toolCallId: string, approved: boolean): MessagePart {
  return toolApprovalUpdate(toolCallId, approved).apply(part as Record<string, unknown>) as MessagePart;
}
