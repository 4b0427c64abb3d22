// An answer and its continuations are messages of their own in the conversation, and one message for who reads it:
// clients append a continuation to the answer while it streams, and their view must not jump afterwards (W10).
import type { UIMessage } from "ai";
import { isObject } from "./fields.ts";

/** The messages as clients see them. One that stands for itself is the very same object. */
export const visibleTranscript = (messages: readonly UIMessage[]): UIMessage[] => runs(messages).map(merged);

/** What clients see of the message with this id: it may be part of another. */
export function visibleMessage(messages: readonly UIMessage[], id: string): UIMessage | undefined {
  const run = runs(messages).findLast((messages) => messages.some((message) => message.id === id));
  return run && merged(run);
}

type Run = [UIMessage, ...UIMessage[]];

/** Assistant messages that follow each other are together, every other message is alone. */
function runs(messages: readonly UIMessage[]): Run[] {
  const all: Run[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (message.role === "assistant" && last?.[0].role === "assistant") last.push(message);
    else all.push([message]);
  }
  return all;
}

function merged(run: Run): UIMessage {
  const [first, ...rest] = run;
  if (rest.length === 0) return first;
  const metadata = run.map((message) => message.metadata).reduce(mergedMetadata);
  return {
    ...first,
    parts: run.flatMap(({ parts }) => parts),
    ...(metadata !== undefined && { metadata }),
  };
}

/** What a continuation says is newer. */
function mergedMetadata(earlier: unknown, later: unknown): unknown {
  if (isObject(earlier) && isObject(later)) return { ...earlier, ...later };
  return later ?? earlier;
}
