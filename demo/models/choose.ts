// Which model answers: an OpenAI-compatible one when a key is set, else Workers AI when its binding is on,
// else the scripted one, which needs no network. The console shows the choice.
import type { DemoEnv } from "../env.ts";
import { openAIModel } from "./openai.ts";
import type { ChosenModel } from "./port.ts";
import { scriptedModel } from "./scripted/model.ts";
import { workersAIModel } from "./workers-ai.ts";

export function chooseModel(env: DemoEnv): ChosenModel {
  return openAIModel(env) ?? workersAIModel(env) ?? scriptedModel();
}
