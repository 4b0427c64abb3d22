import type { UIMessageChunk } from "ai";
import { isFinalAnswer } from "../turn/structured/tool-name.ts";

export type ShowChunk = (chunk: UIMessageChunk) => UIMessageChunk | undefined;

/**
 * What clients see of an answer. The final answer of a structured turn is for the workflow that asked; and what goes on
 * with an answer has no message of its own for them.
 */
export function shownChunks(turn: { readonly continuation: boolean; readonly structured: boolean }): ShowChunk {
  const hidden = new Set<string>();
  return (chunk) => {
    if (turn.continuation && chunk.type === "start") {
      const { messageId: _, ...start } = chunk;
      return start;
    }
    if (!turn.structured || !("toolCallId" in chunk)) return chunk;
    if ("toolName" in chunk && isFinalAnswer(chunk.toolName)) hidden.add(chunk.toolCallId);
    return hidden.has(chunk.toolCallId) ? undefined : chunk;
  };
}
