export { KillingAgent } from "./killing-agent.ts";
export { MemoryAgent } from "./memory-agent.ts";
export { ScheduleAgent } from "./schedule-agent.ts";
export { TurnAgent } from "./turn-agent.ts";
export { TestPrompts } from "./test-prompts.ts";
export { TestAgent } from "./test-agent.ts";
export { TestRuns } from "./test-runs.ts";
export { WireAgent } from "../wire/support/wire-agent.ts";
export { WorkflowAgent } from "./workflow-agent.ts";

export default { fetch: () => new Response("thinklog tests") };
