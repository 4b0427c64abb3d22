import type { SessionMessage } from "agents/sessions";
import type { UIMessage } from "ai";
import { ThinkInputError } from "../errors.ts";
import type { AddMessagesOptions } from "../types.ts";
import type { ThinkSession } from "./think-session.ts";

/**
 * Store messages as one chain, without a turn. A known message stays where it is and becomes the parent
 * of the next one.
 *
 * @throws {ThinkInputError} when `parentId` names no message; nothing is stored then.
 */
export async function addMessages(
  session: ThinkSession,
  messages: readonly UIMessage[],
  { parentId, mode = "append" }: AddMessagesOptions,
): Promise<void> {
  if (typeof parentId === "string" && (await session.getMessage(parentId)) === null) {
    const message = `addMessages: parentId "${parentId}" does not exist in this session`;
    throw new ThinkInputError("unknown-parent", "parentId", message);
  }
  let parent = parentId;
  for (const message of messages) {
    const stored = message as SessionMessage;
    const options = parent === undefined ? {} : { parentId: parent };
    await (mode === "upsert" ? session.upsertMessage(stored, options) : session.appendMessage(stored, options));
    parent = message.id;
  }
}
