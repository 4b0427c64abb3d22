// The text of a prompt: in the payload of the submission's acceptance, and in the messages of the conversation.
import type { UIMessage } from "./api.ts";

/** What a payload of messages asks; undefined when its content was deleted, or is no text. */
export function askedIn(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const messages = content as UIMessage[];
  const question = messages.findLast((message) => message.role === "user");
  return question && (textOf(question) || undefined);
}

function textOf(message: UIMessage): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
