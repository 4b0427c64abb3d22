/** What to compare with: Think and ThinkWorkflow of @cloudflare/think. */
import { Think } from "@cloudflare/think";
import { ThinkWorkflow } from "@cloudflare/think/workflows";
import { benchAgent } from "./bench-agent.ts";
import { benchPrompts } from "./prompts.ts";

export const BenchAgent = benchAgent(Think);
export const BenchPrompts = benchPrompts(ThinkWorkflow as never);
export { MeterCheck } from "./meter-check.ts";
export { default } from "./driver.ts";
