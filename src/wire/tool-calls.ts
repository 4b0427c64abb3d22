// Tool calls as they stand in messages, and which of them wait for somebody outside of the server.
import type { UIMessage } from "ai";
import type { MessagePart } from "./adapter.ts";

/** Is this a tool that the client runs, in the turn the call is of? */
export type IsClientTool = (toolName: string) => boolean;

/** A tool part, whether its tool was known when it was made (`tool-<name>`) or not (`dynamic-tool`). */
export type ToolCall = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly state: string;
  /** The provider of the model runs it: nobody here can answer. */
  readonly providerExecuted: boolean;
  readonly approved: boolean;
};

/** Parts come from stores and from clients, so nothing is taken for granted. */
export function toolCallOf(part: MessagePart): ToolCall | undefined {
  const { type, toolCallId, toolName, state, providerExecuted, approval } = part as Record<string, unknown>;
  if (typeof type !== "string" || typeof toolCallId !== "string" || typeof state !== "string") return undefined;
  const name = type === "dynamic-tool" ? toolName : type.startsWith("tool-") ? type.slice("tool-".length) : undefined;
  if (typeof name !== "string") return undefined;
  const approved = (approval as { approved?: unknown } | null | undefined)?.approved === true;
  return { toolCallId, toolName: name, state, providerExecuted: providerExecuted === true, approved };
}

/** Only a client's tool can still get its result: a call of the server's own died with the object that ran it (W11). */
export const waitsForResult = (call: ToolCall, isClientTool: IsClientTool): boolean =>
  (call.state === "input-available" || (call.state === "approval-responded" && call.approved)) &&
  !call.providerExecuted &&
  isClientTool(call.toolName);

export const waitsForApproval = (call: ToolCall): boolean => call.state === "approval-requested";

/** Is there a call in the conversation that a client has yet to answer, with a result or with a decision? */
export const hasPendingInteraction = (messages: readonly UIMessage[], isClientTool: IsClientTool): boolean =>
  messages.some((message) => toolCallsOf(message).some((call) => isWaiting(call, isClientTool)));

/**
 * C18: has the message some calls that are answered and some that wait? The turn goes on when none waits.
 * A client's tool that was approved is both: the decision is there, the result is not.
 */
export function hasIncompleteBatch(message: UIMessage | undefined, isClientTool: IsClientTool): boolean {
  const calls = message ? toolCallsOf(message) : [];
  return calls.some(isAnswered) && calls.some((call) => isWaiting(call, isClientTool));
}

const ANSWERED: ReadonlySet<string> = new Set([
  "output-available",
  "output-error",
  "output-denied",
  "approval-responded",
]);

const isAnswered = ({ state }: ToolCall): boolean => ANSWERED.has(state);

/** Does somebody outside of the server have to answer before the call is over? */
export const isWaiting = (call: ToolCall, isClientTool: IsClientTool): boolean =>
  waitsForApproval(call) || waitsForResult(call, isClientTool);

/** Only the model calls tools: what a user's message says of calls is data. */
const toolCallsOf = ({ role, parts }: UIMessage): ToolCall[] =>
  role === "assistant" ? parts.flatMap((part) => toolCallOf(part) ?? []) : [];
