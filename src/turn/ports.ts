import type { ConversationCare, ConversationContext, ModelHistory } from "../conversation/ports.ts";
import type { ClaimedTurn, Conversation, Telemetry } from "../engine/ports.ts";
import type { LanguageModel, ToolSet, UIMessage, UIMessageChunk } from "./ai-sdk.ts";
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
  /** Milliseconds without a part of the stream after which a turn is ended; 0: never. */
  readonly stallTimeoutMs: number;
  readonly sendReasoning: boolean;
  readonly messageMetadata: MessageMetadataCallback | undefined;
  readonly contextOverflow: ContextOverflowConfig | undefined;
  /** Are errors classified? Only when the subclass says how. */
  readonly classifies: boolean;
  readonly tracing: { readonly storeMessages: boolean; readonly storeTools: boolean };
};

/** The answer as far as it has come; absent while nothing streams. */
export type LiveAnswer = {
  message?: (() => UIMessage) | undefined;
  /** Put this part in the place of the call's, in the answer that streams. */
  update?: ((part: UIMessage["parts"][number], toolCallId: string) => void) | undefined;
};

/** Those who follow turns as they happen. Nothing here throws. */
export type TurnAudience = {
  /** An attempt begins: its messages are in the conversation, and its answer comes next. */
  readonly begins: (claimed: ClaimedTurn) => AnswerListener;
};

/** Hears one answer, chunk by chunk. */
export type AnswerListener = { readonly chunk: (chunk: UIMessageChunk) => void };

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
  readonly modelHistory: (upTo?: string) => ModelHistory;
  /** The body that was admitted with a turn, by its digest. */
  readonly readBody: (digest: string) => Record<string, unknown> | undefined;
  /** Tools that the client runs, as they were admitted with a turn, by their digest. */
  readonly readClientTools: (digest: string) => ToolSet;
  /** The answer that is being streamed, for who asks meanwhile. */
  readonly live: LiveAnswer;
  readonly audience: TurnAudience;
  readonly telemetry: Telemetry;
  readonly now: () => number;
  readonly messageId: () => string;
};
