// The port between the agent and whatever answers: a model of the AI SDK, and what to call it on the page.
import type { LanguageModel } from "ai";

/** The newest model interface of the AI SDK, without depending on its provider package. */
export type Model = Extract<LanguageModel, { specificationVersion: "v4" }>;

export type ModelKind = "scripted" | "openai" | "workers-ai";

export type ModelInfo = { kind: ModelKind; name: string };

export type ChosenModel = ModelInfo & { model: Model };
