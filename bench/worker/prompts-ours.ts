/** thinklog's own Think and ThinkWorkflow. */
import { Think } from "../../src/index.ts";
import { ThinkWorkflow } from "../../src/workflows/index.ts";
import { benchAgent } from "./bench-agent.ts";
import { benchPrompts } from "./prompts.ts";

export const BenchAgent = benchAgent(Think);
export const BenchPrompts = benchPrompts(ThinkWorkflow as never);
export { MeterCheck } from "./meter-check.ts";
export { default } from "./driver.ts";
