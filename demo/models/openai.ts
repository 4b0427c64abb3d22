// Any server that speaks OpenAI's chat completions: OpenAI itself, or another one behind OPENAI_BASE_URL.
import { createOpenAI } from "@ai-sdk/openai";
import type { DemoEnv } from "../env.ts";
import type { ChosenModel } from "./port.ts";

const DEFAULT_MODEL = "gpt-5-mini";

export function openAIModel(env: DemoEnv): ChosenModel | undefined {
  const apiKey = env.OPENAI_API_KEY?.trim();
  if (!apiKey) return undefined;

  const name = env.OPENAI_MODEL?.trim() || DEFAULT_MODEL;
  const baseURL = env.OPENAI_BASE_URL?.trim();
  const provider = createOpenAI({ apiKey, ...(baseURL && { baseURL }) });
  // Compatible servers rarely have the newer Responses API, so ask for chat completions.
  return { kind: "openai", name, model: provider.chat(name) };
}
