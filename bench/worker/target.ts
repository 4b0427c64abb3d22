/** The variant to compare with: Think of @cloudflare/think. */
import { Think } from "@cloudflare/think";
import { benchAgent } from "./bench-agent.ts";

export const BenchAgent = benchAgent(Think);
export { MeterCheck } from "./meter-check.ts";
export { default } from "./driver.ts";
