/** Entry `thinklog/workflows`: workflows whose steps ask the agent. */
export {
  ThinkPromptAbortedError,
  ThinkPromptError,
  ThinkPromptSkippedError,
  ThinkPromptTimeoutError,
  ThinkPromptValidationError,
} from "./errors.ts";
export type { ThinkPromptOptions } from "./options.ts";
export { ThinkWorkflow, type ThinkWorkflowStep } from "./think-workflow.ts";
/** The base class, for workflows that ask nothing. */
export { AgentWorkflow } from "agents/workflows";
