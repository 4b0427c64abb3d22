// The part of a prompt the script cares about: the last user text, and the tool results that came after it.
import type { Model } from "../port.ts";
import type { Schema } from "./sample.ts";

export type CallOptions = Parameters<Model["doStream"]>[0];
type PromptMessage = CallOptions["prompt"][number];
type ToolResult = Extract<Extract<PromptMessage, { role: "tool" }>["content"][number], { type: "tool-result" }>;

export type Conversation = {
  prompt: string;
  toolResults: { tool: string; output: string }[];
  /** The tools the model may call, by name, each with the JSON schema of its input. */
  tools: Map<string, Schema>;
};

export function readConversation({ prompt, tools = [] }: CallOptions): Conversation {
  const lastUser = prompt.findLastIndex((message) => message.role === "user");
  return {
    prompt: textOf(prompt[lastUser]),
    toolResults: prompt.slice(lastUser + 1).flatMap(toolResultsOf),
    tools: new Map(tools.map((tool) => [tool.name, tool.type === "function" ? (tool.inputSchema as Schema) : {}])),
  };
}

function textOf(message: PromptMessage | undefined): string {
  if (message?.role !== "user") return "";
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
}

function toolResultsOf(message: PromptMessage): Conversation["toolResults"] {
  if (message.role !== "tool") return [];
  return message.content.flatMap((part) =>
    part.type === "tool-result" ? [{ tool: part.toolName, output: outputText(part.output) }] : [],
  );
}

function outputText(output: ToolResult["output"]): string {
  if (output.type === "text" || output.type === "error-text") return output.value;
  if (output.type === "json" || output.type === "error-json") return sentence(output.value);
  if (output.type === "execution-denied") return "it was denied.";
  return "nothing that can be put in words.";
}

/** Tools of the demo answer with a `summary`, so that the script has a sentence to say. */
function sentence(value: unknown): string {
  const summary = typeof value === "object" && value !== null && "summary" in value ? value.summary : undefined;
  return typeof summary === "string" ? summary : JSON.stringify(value);
}
