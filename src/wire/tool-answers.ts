import { toolApprovalUpdate, type ToolPartUpdate, toolResultUpdate } from "agents/chat";
import type { UIMessage } from "ai";
import type { EventData } from "../events/index.ts";
import type { ToolApprovalFrame, ToolResultFrame } from "./incoming.ts";
import { type IsClientTool, isToolPart, toolNameOf, type ToolPart } from "./tool-parts.ts";

export type ToolAnswerFrame = ToolResultFrame | ToolApprovalFrame;

/** What an answer comes to. A call that waits for none keeps its message as it is: the client gets that one back. */
export type ToolAnswer =
  | { readonly kind: "apply"; readonly message: UIMessage; readonly fact: EventData<"ToolAnswered"> }
  | { readonly kind: "refuse"; readonly reason: string; readonly message: UIMessage | undefined };

/**
 * Put a client's answer into the message that holds the call. A result is taken only for a call that waits for one, of
 * a tool that the client runs and under its name; a decision only for a call that was asked about.
 *
 * @param messages - The conversation, the newest last.
 */
export function answerTool(
  frame: ToolAnswerFrame,
  messages: readonly UIMessage[],
  isClientTool: IsClientTool,
): ToolAnswer {
  const message = messages.findLast(({ parts }) => parts.some((part) => isCall(part, frame.toolCallId)));
  const part = message?.parts.find((candidate) => isCall(candidate, frame.toolCallId)) as ToolPart | undefined;
  if (!message || !part) return { kind: "refuse", reason: "there is no such call", message: undefined };
  const reason = refusal(frame, part, isClientTool);
  if (reason !== undefined) return { kind: "refuse", reason, message };
  const update = updateOf(frame);
  const parts = message.parts.map((candidate) =>
    candidate === part ? (update.apply(part as Record<string, unknown>) as ToolPart) : candidate,
  );
  const call = { messageId: message.id, toolCallId: frame.toolCallId, toolName: toolNameOf(part) };
  return {
    kind: "apply",
    message: { ...message, parts },
    fact: { ...call, answer: answerOf(frame), continues: frame.autoContinue },
  };
}

function refusal(frame: ToolAnswerFrame, part: ToolPart, isClientTool: IsClientTool): string | undefined {
  const toolName = toolNameOf(part);
  if (frame.kind === "tool-approval") {
    return part.state === "approval-requested" ? undefined : `the call waits for no decision: it is ${part.state}`;
  }
  if (!isClientTool(toolName)) return `${toolName} is not a tool that the client runs`;
  if (frame.toolName !== "" && frame.toolName !== toolName) return `the call is one of ${toolName}`;
  const waits = part.state === "input-available" || part.state === "approval-responded";
  return waits ? undefined : `the call waits for no result: it is ${part.state}`;
}

function updateOf(frame: ToolAnswerFrame): ToolPartUpdate {
  if (frame.kind === "tool-approval") return toolApprovalUpdate(frame.toolCallId, frame.approved);
  const { result, toolCallId } = frame;
  return result.state === "output-available"
    ? toolResultUpdate(toolCallId, result.output)
    : toolResultUpdate(toolCallId, undefined, "output-error", result.errorText);
}

function answerOf(frame: ToolAnswerFrame): EventData<"ToolAnswered">["answer"] {
  if (frame.kind === "tool-approval") return frame.approved ? "approved" : "denied";
  return frame.result.state === "output-available" ? "output" : "error";
}

const isCall = (part: UIMessage["parts"][number], toolCallId: string): boolean =>
  isToolPart(part) && part.toolCallId === toolCallId;
