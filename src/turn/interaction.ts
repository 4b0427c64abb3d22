import type { UIMessage } from "./ai-sdk.ts";

/**
 * Does the newest answer wait for a person or a client: an approval asked for, or a call of a tool that the
 * client runs? Interactions belong to their turn: one of an earlier answer is over.
 */
export function hasPendingInteraction(
  path: readonly UIMessage[],
  live: UIMessage | undefined,
  isClientTool: (toolName: string) => boolean,
): boolean {
  const newest = path.at(-1);
  const answers = [live, newest?.role === "assistant" ? newest : undefined];
  return answers.some((message) => message?.parts.some((part) => isWaiting(part, isClientTool)));
}

function isWaiting(part: UIMessage["parts"][number], isClientTool: (toolName: string) => boolean): boolean {
  if (!("state" in part) || !("toolCallId" in part)) return false;
  if (part.state === "approval-requested") return true;
  const toolName = part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);
  return part.state === "input-available" && isClientTool(toolName);
}
