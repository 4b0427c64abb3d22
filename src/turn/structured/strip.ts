import type { UIMessage } from "../ai-sdk.ts";
import { isContent } from "../answer-message.ts";
import { isFinalAnswer } from "./tool-name.ts";

/**
 * The message without calls of final-answer tools: they answer a workflow, not the conversation. The same object when
 * there are none; `undefined` when nothing else was said.
 */
export function withoutFinalAnswer(message: UIMessage): UIMessage | undefined {
  if (!message.parts.some(isCall)) return message;
  const parts = message.parts.filter((part) => !isCall(part));
  return parts.some(isContent) ? { ...message, parts } : undefined;
}

/** The same of a whole history: the same array when there are none in it. */
export const historyWithoutFinalAnswers = (messages: readonly UIMessage[]): readonly UIMessage[] =>
  messages.some(({ parts }) => parts.some(isCall))
    ? messages.flatMap((message) => withoutFinalAnswer(message) ?? [])
    : messages;

type Part = UIMessage["parts"][number];

function isCall(part: Part): boolean {
  if (part.type === "dynamic-tool") return isFinalAnswer(part.toolName);
  return part.type.startsWith("tool-") && isFinalAnswer(part.type.slice("tool-".length));
}
