import { type ChunkAction, crossMessageToolResultUpdate } from "agents/chat";
import type { UIMessage } from "./ai-sdk.ts";

/** The result of a call that an earlier message holds: an approved tool ran at the start of this answer. */
export type ElsewhereUpdate = Extract<ChunkAction, { type: "cross-message-tool-update" }>;

/** The messages that such results change, as they are to be stored. */
export function answeredElsewhere(
  updates: readonly ElsewhereUpdate[],
  messages: readonly UIMessage[],
): readonly UIMessage[] {
  const changed = new Map<string, UIMessage>();
  for (const { toolCallId, updateType, output, errorText } of updates) {
    const stored = messages.findLast((message) => message.parts.some((part) => isCall(part, toolCallId)));
    if (!stored) continue;
    const message = changed.get(stored.id) ?? stored;
    const update = crossMessageToolResultUpdate(toolCallId, updateType, output, errorText, false);
    const parts = message.parts.map((part) => (isCall(part, toolCallId) ? (update.apply(part) as Part) : part));
    changed.set(stored.id, { ...message, parts });
  }
  return [...changed.values()];
}

type Part = UIMessage["parts"][number];

const isCall = (part: Part, toolCallId: string): boolean => "toolCallId" in part && part.toolCallId === toolCallId;
