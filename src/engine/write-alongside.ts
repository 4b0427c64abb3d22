import type { UIMessage } from "ai";
import type { Conversation } from "./ports.ts";

/** The conversation's part of a commit. */
export type Alongside = {
  /** The writes, to be made in the transaction of the record. Tells whether every message was new. */
  readonly write: () => boolean;
  /** To be called after the commit, before anything follows from it: who looks then sees the messages. */
  readonly committed: () => void;
};

/**
 * Make a record and the conversation's part of it one commit.
 *
 * @param record - Tells whether it recorded anything.
 */
export function writeAlongside(
  conversation: Conversation,
  messages: readonly UIMessage[],
  parentId: string | null,
  record: (alongside: Alongside) => boolean,
): boolean {
  const write = conversation.write();
  let isCommitted = false;
  const committed = (): void => {
    if (!isCommitted) write.committed();
    isCommitted = true;
  };
  try {
    const recorded = record({ write: () => write.append(messages, parentId), committed });
    if (recorded) committed();
    return recorded;
  } catch (error) {
    if (!isCommitted) write.rolledBack();
    throw error;
  }
}
