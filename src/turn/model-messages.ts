import { truncateOlderToolResults } from "agents/chat";
import { convertToModelMessages, type ModelMessage, type ToolSet, type UIMessage } from "./ai-sdk.ts";
import type { TurnPorts } from "./ports.ts";
import { historyWithoutFinalAnswers } from "./structured/strip.ts";

/** Converted messages by the object they were made from: a long history is not converted again for each turn. */
const converted = new WeakMap<UIMessage, ModelMessage[]>();

/** The conversation as the model is to see it, ending with a user's or a tool's message. */
export async function historyMessages(
  ports: Pick<TurnPorts, "modelHistory" | "context">,
  tools: ToolSet,
): Promise<ModelMessage[]> {
  const { messages: stored, keepRecent } = ports.modelHistory();
  const messages = historyWithoutFinalAnswers(stored);
  const whole = await toModelMessages(messages, tools);
  const shortened = messages.length > keepRecent ? truncateOlderToolResults(whole, messages, { keepRecent }) : whole;
  return endWithUser(withReminder(shortened, await ports.context.reminder()));
}

/** Tool calls that never got a result are left out: providers refuse them. */
async function toModelMessages(messages: readonly UIMessage[], tools: ToolSet): Promise<ModelMessage[]> {
  const parts: ModelMessage[][] = [];
  for (const message of messages) parts.push(converted.get(message) ?? (await convert(message, tools)));
  return parts.flat();
}

async function convert(message: UIMessage, tools: ToolSet): Promise<ModelMessage[]> {
  const result = await convertToModelMessages([message], { tools, ignoreIncompleteToolCalls: true });
  // What a tool's output looks like to the model is up to the tools of the turn, so only the rest is kept.
  if (!message.parts.some((part) => part.type.startsWith("tool-") || part.type === "dynamic-tool")) {
    converted.set(message, result);
  }
  return result;
}

/** Many providers refuse a prompt that ends with an assistant message. What is added is never stored. */
export function endWithUser(messages: ModelMessage[]): ModelMessage[] {
  return messages.at(-1)?.role === "assistant" ? [...messages, { role: "user", content: CONTINUE }] : messages;
}

const CONTINUE = "Go on from where you stopped. Do not repeat what you have already said.";

/** The reminder joins the model's copy of the last user message. */
function withReminder(messages: ModelMessage[], reminder: string | undefined): ModelMessage[] {
  const index = messages.findLastIndex((message) => message.role === "user");
  const message = messages[index];
  if (reminder === undefined || message?.role !== "user") return messages;
  const text = { type: "text", text: reminder } as const;
  const content =
    typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
  return messages.with(index, { ...message, content: [...content, text] });
}
