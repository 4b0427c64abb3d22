import { type AISettings, createAI } from "agents/models/ai-sdk";
import type { LanguageModel } from "./ai-sdk.ts";
import type { ThinkModel } from "./hook-types.ts";

/** Where models named by an id come from. */
type ModelSource = {
  readonly binding: Ai | undefined;
  /** How the AI Gateway treats requests of this model. */
  readonly gateway: GatewayOptions | undefined;
  /** Routes the requests of one agent to one replica, whose cache then knows its prompt. */
  readonly sessionAffinity: string;
};

/** @throws when the id of a model is given and there is no binding to find it in, or nothing is given. */
export function resolveModel(model: ThinkModel | undefined, source: (model: string) => ModelSource): LanguageModel {
  if (typeof model === "object" && model !== null) return model;
  if (typeof model !== "string" || model.trim() === "") {
    throw new TypeError("getModel() must return a model id string or a LanguageModel");
  }
  const { binding, gateway, sessionAffinity } = source(model);
  if (gateway instanceof Promise) throw new TypeError("getGateway() must not return a Promise");
  if (!binding) {
    throw new Error(
      `getModel() returned the model id "${model}", but there is no AI binding: add "ai": { "binding": "AI" } to the ` +
        "Wrangler configuration, override getAIBinding(), or return a LanguageModel",
    );
  }
  return createAI({ ...gateway, binding } as AISettings).languageModel(
    String(model),
    hosted(model) ? { sessionAffinity } : {},
  );
}

const hosted = (model: string): boolean => model.startsWith("@cf/") || model.startsWith("@hf/");
