/** Entry `thinklog/workflows`: Workflows that ask an agent and wait for its typed answer. */
export { AgentWorkflow } from "agents/workflows";
export type { AgentWorkflowEvent, AgentWorkflowStep } from "agents/workflows";
export {
  ThinkPromptAbortedError,
  ThinkPromptError,
  ThinkPromptSkippedError,
  ThinkPromptTimeoutError,
  ThinkPromptValidationError,
} from "./errors.ts";
export type { PromptOutput } from "./output-schema.ts";
export type { ThinkPromptOptions } from "./prompt.ts";
export { ThinkWorkflow, type ThinkWorkflowStep } from "./think-workflow.ts";
