import type { UIMessage } from "ai";
import type { Conversation } from "./ports.ts";

/**
 * Make a record and the conversation's part of it one commit. `record` gets the writes to make in its
 * transaction, which tell whether every message was new, and tells whether it recorded anything.
 */
export function writeAlongside(
  conversation: Conversation,
  messages: readonly UIMessage[],
  parentId: string | null,
  record: (alongside: () => boolean) => boolean,
): boolean {
  const write = conversation.write();
  try {
    const recorded = record(() => write.append(messages, parentId));
    if (recorded) write.committed();
    return recorded;
  } catch (error) {
    write.rolledBack();
    throw error;
  }
}
