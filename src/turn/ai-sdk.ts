/**
 * The one place that knows the AI SDK's version: what differs between 6 and 7 goes here.
 */
export {
  convertToModelMessages,
  hasToolCall,
  isStepCount,
  jsonSchema,
  streamText,
  tool,
  ToolChoiceViolationError,
  toUIMessageChunk,
} from "ai";
export type {
  LanguageModel,
  ModelMessage,
  StepResult,
  StopCondition,
  Tool,
  ToolSet,
  UIMessage,
  UIMessageChunk,
} from "ai";
