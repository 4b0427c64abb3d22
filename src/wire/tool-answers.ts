// May this client's result or decision go into the conversation? Any connection can send one, for any call,
// so the call itself must be waiting for just that (decision 22, W12).
import type { UIMessage } from "ai";
import { type MessagePart, withApproval, withOutcome } from "./adapter.ts";
import { type IsClientTool, type ToolCall, toolCallOf, waitsForApproval, waitsForResult } from "./tool-calls.ts";
import type { ToolApproval, ToolResult } from "./tool-frames.ts";

export type AnswerRefusal =
  | "unknown-call"
  /** The call is of a tool with another name. */
  | "other-tool"
  /** The server or the provider runs it. */
  | "not-client-tool"
  /** A person decides first. */
  | "needs-approval"
  | "already-answered"
  /** Its input is not complete yet, or nobody was asked. */
  | "not-waiting";

export type AnswerDecision =
  /** The message with the answered part in it; the message it was is as it was. */
  | { readonly kind: "apply"; readonly message: UIMessage; readonly part: MessagePart }
  /** The message that holds the call, for a client that sees it otherwise. */
  | { readonly kind: "refuse"; readonly reason: AnswerRefusal; readonly message?: UIMessage };

/** @param messages the conversation, with the message that is streaming, newest last. */
export function decideAnswer(
  messages: readonly UIMessage[],
  answer: ToolResult | ToolApproval,
  isClientTool: IsClientTool,
): AnswerDecision {
  const place = findCall(messages, answer.toolCallId);
  if (!place) return { kind: "refuse", reason: "unknown-call" };
  const { message, index, part, call } = place;
  const reason = answer.kind === "tool-result" ? refuseResult(call, answer, isClientTool) : refuseApproval(call);
  if (reason) return { kind: "refuse", reason, message };
  const answered =
    answer.kind === "tool-result"
      ? withOutcome(part, answer.toolCallId, answer.result)
      : withApproval(part, answer.toolCallId, answer.approved);
  return { kind: "apply", message: { ...message, parts: message.parts.with(index, answered) }, part: answered };
}

function refuseResult(call: ToolCall, { toolName }: ToolResult, isClientTool: IsClientTool): AnswerRefusal | undefined {
  if (call.toolName !== toolName) return "other-tool";
  if (call.providerExecuted || !isClientTool(toolName)) return "not-client-tool";
  if (waitsForResult(call, isClientTool)) return undefined;
  if (waitsForApproval(call)) return "needs-approval";
  return call.state === "input-streaming" ? "not-waiting" : "already-answered";
}

function refuseApproval(call: ToolCall): AnswerRefusal | undefined {
  if (waitsForApproval(call)) return undefined;
  return call.state.startsWith("input-") ? "not-waiting" : "already-answered";
}

type Place = { message: UIMessage; index: number; part: MessagePart; call: ToolCall };

/** C8: the newest call with that id. Some providers count anew with every step, so an older one may have it too. */
function findCall(messages: readonly UIMessage[], toolCallId: string): Place | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== "assistant") continue;
    const index = message.parts.findLastIndex((part) => toolCallOf(part)?.toolCallId === toolCallId);
    const part = message.parts[index];
    const call = part && toolCallOf(part);
    if (call) return { message, index, part, call };
  }
  return undefined;
}
