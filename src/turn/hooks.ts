import type {
  ChatErrorClassification,
  ChatErrorContext,
  ChunkContext,
  PrepareStepContext,
  StepConfig,
  StepContext,
  ToolCallContext,
  ToolCallDecision,
  ToolCallResultContext,
  TurnConfig,
  TurnContext,
} from "./hook-types.ts";

type Maybe<T> = T | void | Promise<T | void>;

/** What a subclass may say during a turn. `Think` itself is one. */
export type TurnHooks = {
  beforeTurn(context: TurnContext): Maybe<TurnConfig>;
  beforeStep(context: PrepareStepContext): Maybe<StepConfig>;
  beforeToolCall(context: ToolCallContext): Maybe<ToolCallDecision>;
  afterToolCall(context: ToolCallResultContext): void | Promise<void>;
  onStepEnd(context: StepContext): void | Promise<void>;
  onChunk(context: ChunkContext): void | Promise<void>;
  onChatError(error: unknown, context?: ChatErrorContext): unknown;
  classifyChatError(error: unknown, context?: ChatErrorContext): ChatErrorClassification | void;
};
