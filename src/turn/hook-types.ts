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

export type {
  PrepareStepFunction,
  PrepareStepResult,
  StepResult,
  StopCondition,
  TextStreamPart,
  TypedToolCall,
  TypedToolResult,
} from "ai";

/** A model, or the id of one that the AI binding serves: `"@cf/…"`, `"openai/…"`. */
export type ThinkModel = LanguageModel | ThinkModelId;
export type ThinkModelId = string & {};

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
  model?: ThinkModel | undefined;
  /** Replaces the system text. */
  instructions?: string | undefined;
  /** @deprecated Use `instructions`, which wins. */
  system?: string | undefined;
  /** Replaces what the model is sent. */
  messages?: ModelMessage[] | undefined;
  /** Added to the tools; the same name replaces. */
  tools?: ToolSet | undefined;
  /** Names the model may see; `[]` for none. */
  activeTools?: string[] | undefined;
  toolChoice?: StreamTextArg["toolChoice"] | undefined;
  maxSteps?: number | undefined;
  /** Stops earlier than `maxSteps`, never later. */
  stopWhen?: StopCondition<ToolSet> | Array<StopCondition<ToolSet>> | undefined;
  sendReasoning?: boolean | undefined;
  messageMetadata?: MessageMetadataCallback | undefined;
  chatStreamStallTimeoutMs?: number | undefined;
  maxOutputTokens?: StreamTextArg["maxOutputTokens"] | undefined;
  temperature?: StreamTextArg["temperature"] | undefined;
  topP?: StreamTextArg["topP"] | undefined;
  topK?: StreamTextArg["topK"] | undefined;
  presencePenalty?: StreamTextArg["presencePenalty"] | undefined;
  frequencyPenalty?: StreamTextArg["frequencyPenalty"] | undefined;
  stopSequences?: StreamTextArg["stopSequences"] | undefined;
  seed?: StreamTextArg["seed"] | undefined;
  maxRetries?: StreamTextArg["maxRetries"] | undefined;
  timeout?: StreamTextArg["timeout"] | undefined;
  headers?: StreamTextArg["headers"] | undefined;
  providerOptions?: Record<string, unknown> | undefined;
  telemetry?: StreamTextArg["telemetry"] | undefined;
  /** @deprecated Use `telemetry`. */
  experimental_telemetry?: StreamTextArg["telemetry"] | undefined;
  experimental_transform?: StreamTextArg["experimental_transform"] | undefined;
  repairToolCall?: StreamTextArg["repairToolCall"] | undefined;
  /** Structured output; the parsed value is `TurnResult.output`. */
  output?: Parameters<typeof streamText>[0]["output"] | undefined;
}

/** What the AI SDK hands to `prepareStep`. */
export type PrepareStepContext<TOOLS extends ToolSet = ToolSet> = Parameters<PrepareStepFunction<TOOLS>>[0];

/** Overrides for one model step. */
export type StepConfig<TOOLS extends ToolSet = ToolSet> = Omit<NonNullable<PrepareStepResult<TOOLS>>, "model"> & {
  model?: ThinkModel | undefined;
};

/** A finished model step. */
export type StepContext<TOOLS extends ToolSet = ToolSet> = Parameters<GenerateTextOnStepFinishCallback<TOOLS>>[0];

/** One streamed part. */
export type ChunkContext<TOOLS extends ToolSet = ToolSet> = Parameters<StreamTextOnChunkCallback<TOOLS>>[0];
export type ChunkPart<TOOLS extends ToolSet = ToolSet> = ChunkContext<TOOLS>["chunk"];

interface ToolCallExtras {
  readonly messages: readonly ModelMessage[];
  abortSignal: AbortSignal | undefined;
  requestId?: string;
  stepNumber: number | undefined;
}

/** The calls of known tools by name; of a `ToolSet` nobody knows the names, and calls may be dynamic. */
type CallOf<TOOLS extends ToolSet> = string extends keyof TOOLS
  ? TypedToolCall<TOOLS>
  : { [Name in keyof TOOLS]: Extract<TypedToolCall<TOOLS>, { toolName: Name }> }[keyof TOOLS];

/** A tool call that is about to run. */
export type ToolCallContext<TOOLS extends ToolSet = ToolSet> = CallOf<TOOLS> & ToolCallExtras;

/** What to do about it; nothing means to run it as it is. */
export type ToolCallDecision =
  /** Run it, with this input if given. It is not checked against the tool's schema again. */
  | { action: "allow"; input?: Record<string, unknown> | undefined }
  /** Do not run it: the reason is the result that the model sees. */
  | { action: "block"; reason?: string | undefined }
  /** Do not run it: this is its result. */
  | { action: "substitute"; output: unknown; input?: Record<string, unknown> | undefined };

interface ToolCallResultBase {
  toolExecutionMs: number;
  /** The same, under the name it is often looked for. */
  durationMs: number;
  stepNumber: number | undefined;
  readonly messages: readonly ModelMessage[];
  requestId?: string;
}

type ToolCallOutcome<Output> =
  | { success: true; output: Output; error?: never; toolOutput: { type: "tool-result"; output: Output } }
  | { success: false; error: unknown; output?: never; toolOutput: { type: "tool-error"; error: unknown } };

type ToolOutput<T> = T extends { execute?: (...args: never[]) => infer Returned } ? Settled<Returned> : unknown;

/** The last output of a tool that streams them is its output. */
type Settled<T> = T extends AsyncIterable<infer Item> ? Item : Awaited<T>;

/** Whether a call ended well is told by the outcome, and by that alone. */
type WithoutError<Call> = Call extends unknown ? Omit<Call, "error"> : never;

/** A tool call that has run, or failed. */
export type ToolCallResultContext<TOOLS extends ToolSet = ToolSet> = string extends keyof TOOLS
  ? WithoutError<TypedToolCall<TOOLS>> & ToolCallResultBase & ToolCallOutcome<unknown>
  : {
      [Name in keyof TOOLS]: WithoutError<Extract<TypedToolCall<TOOLS>, { toolName: Name }>> &
        ToolCallResultBase &
        ToolCallOutcome<ToolOutput<TOOLS[Name]>>;
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
  reactive?: boolean | undefined;
  /** Tries of that kind in one turn; 1 when absent. */
  maxRetries?: number | undefined;
  /** Compact before it happens, when a step has used up `headroom` (0.9) of `maxInputTokens`. */
  proactive?:
    | { maxInputTokens: number; headroom?: number | undefined; maxCompactions?: number | undefined }
    | undefined;
}
