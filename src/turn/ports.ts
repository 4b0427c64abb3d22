import type { ConversationCare, ConversationContext, ModelHistory } from "../conversation/ports.ts";
import type { Conversation, Telemetry } from "../engine/ports.ts";
import type { LanguageModel, ToolSet, UIMessage } from "./ai-sdk.ts";
import type { ContextOverflowConfig, MessageMetadataCallback, ThinkModel } from "./hook-types.ts";
import type { TurnHooks } from "./hooks.ts";

/** The agent's members that shape a turn, read anew for each. */
export type TurnSettings = {
  /** May throw, and then ends the turn with that error. */
  readonly getModel: () => ThinkModel;
  readonly resolveModel: (model: ThinkModel) => LanguageModel;
  /** What an overridden `getSystemPrompt()` says. */
  readonly basePrompt: string | undefined;
  readonly tools: ToolSet;
  readonly maxSteps: number;
  readonly sendReasoning: boolean;
  readonly messageMetadata: MessageMetadataCallback | undefined;
  readonly contextOverflow: ContextOverflowConfig | undefined;
  /** Are errors classified? Only when the subclass says how. */
  readonly classifies: boolean;
  readonly tracing: { readonly storeMessages: boolean; readonly storeTools: boolean };
};

/** The answer as far as it has come; absent while nothing streams. */
export type LiveAnswer = { message?: (() => UIMessage) | undefined };

/** What a turn needs of the agent and the world. */
export type TurnPorts = {
  /** Whose turn it is; also the identity that nested calls are recognised by. */
  readonly agent: object;
  readonly hooks: TurnHooks;
  readonly settings: () => TurnSettings;
  readonly conversation: Conversation;
  readonly context: ConversationContext;
  readonly care: ConversationCare;
  /** The history as the model gets it: aged content shortened. */
  readonly modelHistory: () => ModelHistory;
  /** The body that was admitted with a turn, by its digest. */
  readonly readBody: (digest: string) => Record<string, unknown> | undefined;
  /** The answer that is being streamed, for who asks meanwhile. */
  readonly live: LiveAnswer;
  readonly telemetry: Telemetry;
  readonly now: () => number;
  readonly messageId: () => string;
};
