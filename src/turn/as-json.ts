import type { UIMessage } from "./ai-sdk.ts";
import { messageOf } from "../engine/message-of.ts";

/**
 * A tool's output goes to the model, to callers and into the conversation, and all of them take JSON.
 *
 * @throws when it cannot be JSON; the model then hears of it as the tool's error.
 */
export function assertJson(toolName: string, output: unknown): void {
  try {
    JSON.stringify(output);
  } catch (cause) {
    throw new TypeError(`The output of tool "${toolName}" is not JSON: ${messageOf(cause)}`, { cause });
  }
}

/** A message as it will be read again: what is held in memory must not differ from what is stored. */
export function asStored(message: UIMessage): UIMessage {
  try {
    return JSON.parse(JSON.stringify(message)) as UIMessage;
  } catch (cause) {
    throw new TypeError(`The answer cannot be stored as JSON: ${messageOf(cause)}`, { cause });
  }
}
