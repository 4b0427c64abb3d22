import { convertToModelMessages, type ModelMessage, type ToolSet, type UIMessage } from "./ai-sdk.ts";

/** Converted messages by the object they were made from: a long history is not converted again for each turn. */
const converted = new WeakMap<UIMessage, ModelMessage[]>();

/** The conversation as the model sees it. Tool calls that never got a result are left out: providers refuse them. */
export async function toModelMessages(messages: readonly UIMessage[], tools: ToolSet): Promise<ModelMessage[]> {
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
