import type { UIMessage } from "ai";

/** A call of a tool, in a message. Static and dynamic parts are the same to the wire. */
export type ToolPart = UIMessage["parts"][number] & { readonly toolCallId: string; readonly state: string };

export const isToolPart = (part: UIMessage["parts"][number]): part is ToolPart =>
  "toolCallId" in part && "state" in part;

export const toolNameOf = (part: ToolPart): string =>
  part.type === "dynamic-tool" ? (part as { toolName: string }).toolName : part.type.slice("tool-".length);

export type IsClientTool = (toolName: string) => boolean;

/** Does somebody have to answer before the call is over: a person who is asked, or the client that runs the tool? */
export const isWaiting = (part: ToolPart, isClientTool: IsClientTool): boolean =>
  part.state === "approval-requested" || (part.state === "input-available" && isClientTool(toolNameOf(part)));

/** A result, a refusal or a decision has come: the model has something to go on with. */
const isAnswered = ({ state }: ToolPart): boolean =>
  ["output-available", "output-error", "output-denied", "approval-responded"].includes(state);

/**
 * Is something answered, and nothing missing any more? Then the answer can go on. A server's own call that died with
 * its object is not waited for.
 */
export function isBatchComplete(message: UIMessage | undefined, isClientTool: IsClientTool): boolean {
  if (message?.role !== "assistant") return false;
  const lastStep = message.parts.findLastIndex(({ type }) => type === "step-start");
  const calls = message.parts.slice(lastStep + 1).filter(isToolPart);
  return calls.some(isAnswered) && !calls.some((call) => isWaiting(call, isClientTool));
}
