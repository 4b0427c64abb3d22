import type { ClaimedTurn } from "../engine/ports.ts";
import { report } from "../engine/console.ts";
import type { LanguageModel, ModelMessage, ToolSet } from "./ai-sdk.ts";
import { untilAborted } from "./guarded.ts";
import type { TurnConfig, TurnContext } from "./hook-types.ts";
import { endWithUser, historyMessages } from "./model-messages.ts";
import type { TurnPorts, TurnSettings } from "./ports.ts";
import { FinalAnswer } from "./structured/final-answer.ts";
import { checkToolNames } from "./structured/tool-name.ts";

/** A turn put together: what the model will be asked, with the overrides of `beforeTurn` applied. */
export type PreparedTurn = {
  readonly settings: TurnSettings;
  readonly config: TurnConfig;
  readonly model: LanguageModel;
  readonly system: string;
  readonly messages: ModelMessage[];
  readonly tools: ToolSet;
  /** How a structured turn is answered. */
  readonly final?: FinalAnswer;
};

/** @throws what the agent's own code throws, or that there is nothing to send. */
export async function prepareTurn(ports: TurnPorts, claimed: ClaimedTurn, signal: AbortSignal): Promise<PreparedTurn> {
  const settings = ports.settings();
  const { continuation = false, clientTools } = claimed.turn.submitted;
  const ofClient = { ...(clientTools !== undefined && ports.readClientTools(clientTools)), ...claimed.held.tools };
  await ports.care.repair(continuation, new Set(Object.keys(ofClient)));
  const tools = { ...settings.tools, ...(await ports.context.tools()), ...ofClient };
  const system = await ports.context.systemText(settings.basePrompt);
  const messages = await historyMessages(ports, tools);
  if (messages.length === 0) throw new Error(NO_MESSAGES);

  const context = turnContext(ports, claimed, settings, { system, messages, tools }, signal);
  const config = await askBeforeTurn(ports, context, signal);
  const prepared = {
    settings,
    config,
    model: config.model === undefined ? context.model : settings.resolveModel(config.model),
    system: config.instructions ?? config.system ?? system,
    messages: config.messages ? endWithUser(config.messages) : messages,
    tools: { ...tools, ...config.tools },
  };
  checkToolNames(prepared.tools);
  const { schema } = claimed.turn.submitted.origin ?? {};
  return schema ? structured(prepared, schema) : prepared;
}

function structured(prepared: PreparedTurn, schema: Record<string, unknown>): PreparedTurn {
  const { settings, config, system, tools } = prepared;
  const final = new FinalAnswer(schema, tools, config.maxSteps ?? settings.maxSteps);
  return { ...prepared, final, config: final.configured(config), system: final.instructed(system) };
}

function turnContext(
  ports: TurnPorts,
  { turnId, turn }: ClaimedTurn,
  settings: TurnSettings,
  assembled: Pick<TurnContext, "system" | "messages" | "tools">,
  abortSignal: AbortSignal,
): TurnContext {
  const { trigger, continuation = false, body } = turn.submitted;
  const parsed = body === undefined ? undefined : ports.readBody(body);
  let model: LanguageModel | undefined;
  return {
    ...assembled,
    get model() {
      model ??= settings.resolveModel(settings.getModel());
      return model;
    },
    continuation,
    requestId: turnId,
    trigger,
    abortSignal,
    ...(parsed && { body: parsed }),
  };
}

async function askBeforeTurn(ports: TurnPorts, context: TurnContext, signal: AbortSignal): Promise<TurnConfig> {
  const config: unknown = await untilAborted(() => ports.hooks.beforeTurn(context), signal);
  if (config === undefined || config === null) return {};
  if (typeof config === "object" && !Array.isArray(config)) return config;
  report("beforeTurn returned something that is no TurnConfig; it is ignored", config);
  return {};
}

const NO_MESSAGES =
  "No messages to send to the model. This usually means the chat request arrived before any messages were persisted.";
