// A model of Workers AI, when the `AI` binding is uncommented in wrangler.jsonc.
import { createAI } from "agents/models/ai-sdk";
import type { DemoEnv } from "../env.ts";
import type { ChosenModel } from "./port.ts";

const MODEL = "@cf/openai/gpt-oss-120b";

export function workersAIModel(env: DemoEnv): ChosenModel | undefined {
  if (!env.AI) return undefined;
  return { kind: "workers-ai", name: MODEL, model: createAI({ binding: env.AI })(MODEL) };
}
