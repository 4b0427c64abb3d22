import type {
  GenerateTextOnStepFinishCallback,
  LanguageModel,
  ModelMessage,
  PrepareStepFunction,
  PrepareStepResult,
  StopCondition,
  streamText,
  StreamTextOnChunkCallback,
  TextStreamPart,
  ToolSet,
  TypedToolCall,
} from "ai";
import type { TurnTrigger } from "../types.ts";

/** A model, or the id of one that the AI binding serves: `"@cf/…"`, `"openai/…"`. */
export type ThinkModel = LanguageModel | (string & {});

type StreamTextArg = Parameters<typeof streamText<ToolSet>>[0];

/** The turn as it was put together, before the model is asked. */
export interface TurnContext {
  /** The whole system text. */
  system: string;
  messages: ModelMessage[];
  tools: ToolSet;
  readonly model: LanguageModel;
  /** Does the turn add to the conversation without a new user message? */
  continuation: boolean;
  /** The caller's own data, as it was admitted with the turn. */
  body?: Record<string, unknown>;
  requestId?: string;
  trigger?: TurnTrigger;
  abortSignal?: AbortSignal;
}

/** Writes metadata onto the assistant message, part by part. */
export type MessageMetadataCallback<Metadata extends Record<string, unknown> = Record<string, unknown>> = (options: {
  part: TextStreamPart<ToolSet>;
  continuation: boolean;
}) => Metadata | undefined;

/** Overrides for one turn. What is absent stays as it is. */
export interface TurnConfig {
  model?: ThinkModel;
  /** Replaces the system text. */
  instructions?: string;
  /** @deprecated Use `instructions`, which wins. */
  system?: string;
  /** Replaces what the model is sent. */
  messages?: ModelMessage[];
  /** Added to the tools; the same name replaces. */
  tools?: ToolSet;
  /** Names the model may see; `[]` for none. */
  activeTools?: string[];
  toolChoice?: StreamTextArg["toolChoice"];
  maxSteps?: number;
  /** Stops earlier than `maxSteps`, never later. */
  stopWhen?: StopCondition<ToolSet> | Array<StopCondition<ToolSet>>;
  sendReasoning?: boolean;
  messageMetadata?: MessageMetadataCallback;
  chatStreamStallTimeoutMs?: number;
  maxOutputTokens?: StreamTextArg["maxOutputTokens"];
  temperature?: StreamTextArg["temperature"];
  topP?: StreamTextArg["topP"];
  topK?: StreamTextArg["topK"];
  presencePenalty?: StreamTextArg["presencePenalty"];
  frequencyPenalty?: StreamTextArg["frequencyPenalty"];
  stopSequences?: StreamTextArg["stopSequences"];
  seed?: StreamTextArg["seed"];
  maxRetries?: StreamTextArg["maxRetries"];
  timeout?: StreamTextArg["timeout"];
  headers?: StreamTextArg["headers"];
  providerOptions?: Record<string, unknown>;
  telemetry?: StreamTextArg["telemetry"];
  /** @deprecated Use `telemetry`. */
  experimental_telemetry?: StreamTextArg["telemetry"];
  experimental_transform?: StreamTextArg["experimental_transform"];
  repairToolCall?: StreamTextArg["repairToolCall"];
  /** Structured output; the parsed value is `TurnResult.output`. */
  output?: StreamTextArg["output"];
}

/** What the AI SDK hands to `prepareStep`. */
export type PrepareStepContext<TOOLS extends ToolSet = ToolSet> = Parameters<PrepareStepFunction<TOOLS>>[0];

/** Overrides for one model step. */
export type StepConfig<TOOLS extends ToolSet = ToolSet> = Omit<NonNullable<PrepareStepResult<TOOLS>>, "model"> & {
  model?: ThinkModel;
};

/** A finished model step. */
export type StepContext<TOOLS extends ToolSet = ToolSet> = Parameters<GenerateTextOnStepFinishCallback<TOOLS>>[0];

/** One streamed part. */
export type ChunkContext<TOOLS extends ToolSet = ToolSet> = Parameters<StreamTextOnChunkCallback<TOOLS>>[0];
export type ChunkPart<TOOLS extends ToolSet = ToolSet> = ChunkContext<TOOLS>["chunk"];

interface ToolCallExtras {
  messages: ModelMessage[];
  abortSignal: AbortSignal | undefined;
  requestId?: string;
  stepNumber: number | undefined;
}

/** A tool call that is about to run. */
export type ToolCallContext<TOOLS extends ToolSet = ToolSet> = TypedToolCall<TOOLS> & ToolCallExtras;

/** What to do about it; nothing means to run it as it is. */
export type ToolCallDecision =
  /** Run it, with this input if given. It is not checked against the tool's schema again. */
  | { action: "allow"; input?: Record<string, unknown> }
  /** Do not run it: the reason is the result that the model sees. */
  | { action: "block"; reason?: string }
  /** Do not run it: this is its result. */
  | { action: "substitute"; output: unknown; input?: Record<string, unknown> };

interface ToolCallResultBase {
  toolExecutionMs: number;
  /** The same, under the name it is often looked for. */
  durationMs: number;
  stepNumber: number | undefined;
  messages: ModelMessage[];
  requestId?: string;
}

type ToolCallOutcome<Output> =
  | { success: true; output: Output; error?: never; toolOutput: { type: "tool-result"; output: Output } }
  | { success: false; error: unknown; output?: never; toolOutput: { type: "tool-error"; error: unknown } };

type ToolOutput<T> = T extends { execute?: infer Execute }
  ? Execute extends (...args: never[]) => infer Output
    ? Awaited<Output>
    : unknown
  : unknown;

/** A tool call that has run, or failed. */
export type ToolCallResultContext<TOOLS extends ToolSet = ToolSet> = string extends keyof TOOLS
  ? TypedToolCall<TOOLS> & ToolCallResultBase & ToolCallOutcome<unknown>
  : {
      [K in keyof TOOLS]: Extract<TypedToolCall<TOOLS>, { toolName: K }> &
        ToolCallResultBase &
        ToolCallOutcome<ToolOutput<TOOLS[K]>>;
    }[keyof TOOLS];

/** What kind of failure it is. */
export type ChatErrorClassification = "context_overflow" | "rate_limit" | "transient" | "fatal" | "unknown";

/** Where an error came from. */
export interface ChatErrorContext {
  requestId?: string;
  stage: "parse" | "persist" | "turn" | "stream" | "recovery" | "transcript";
  /** Are the turn's messages in the conversation? */
  messagesPersisted?: boolean;
  continuation?: boolean;
  classification?: ChatErrorClassification;
}

/** What to do when the conversation no longer fits the model. Needs a registered compaction function. */
export interface ContextOverflowConfig {
  /** Compact and try again when the model says that the input is too long. */
  reactive?: boolean;
  /** Tries of that kind in one turn; 1 when absent. */
  maxRetries?: number;
  /** Compact before it happens, when a step has used up `headroom` (0.9) of `maxInputTokens`. */
  proactive?: { maxInputTokens: number; headroom?: number; maxCompactions?: number };
}
