/**
 * Entry `thinklog/workflows`. `ThinkWorkflow` comes with its own release; until then this is the base
 * class it will be built on, so that imports need not change.
 */
export { AgentWorkflow } from "agents/workflows";
