import type { UIMessage } from "ai";

/**
 * The conversation as people see it: an answer and what goes on with it are one message, under the id of the first.
 * They are stored as what they are, one for each turn.
 */
export function visibleTranscript(messages: readonly UIMessage[]): UIMessage[] {
  const visible: UIMessage[] = [];
  for (const message of messages) {
    const before = visible.at(-1);
    if (message.role === "assistant" && before?.role === "assistant")
      visible[visible.length - 1] = joined(before, message);
    else visible.push(message);
  }
  return visible;
}

/** The visible message that this stored one is part of. */
export function visibleMessageOf(messages: readonly UIMessage[], messageId: string): UIMessage | undefined {
  const index = messages.findIndex(({ id }) => id === messageId);
  if (index === -1 || messages[index]?.role !== "assistant") return messages[index];
  let first = index;
  while (messages[first - 1]?.role === "assistant") first -= 1;
  let end = index + 1;
  while (messages[end]?.role === "assistant") end += 1;
  return visibleTranscript(messages.slice(first, end))[0];
}

function joined(first: UIMessage, next: UIMessage): UIMessage {
  const metadata = { ...(first.metadata as object | undefined), ...(next.metadata as object | undefined) };
  return {
    ...first,
    parts: [...first.parts, ...next.parts],
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}
