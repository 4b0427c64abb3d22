/** The variant under development: thinklog's own Think. */
import { Think } from "../../src/index.ts";
import { benchAgent } from "./bench-agent.ts";

export const BenchAgent = benchAgent(Think);
export { MeterCheck } from "./meter-check.ts";
export { default } from "./driver.ts";
