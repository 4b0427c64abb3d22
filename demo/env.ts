// What wrangler.jsonc and .dev.vars give the Worker.
import type { DemoAgent } from "./agent/demo-agent.ts";

export type DemoEnv = {
  DemoAgent: DurableObjectNamespace<DemoAgent>;
  TRIAGE: Workflow;
  REVIEW: Workflow;
  ASSETS: Fetcher;
  /** Workers AI; absent unless its binding is uncommented. */
  AI?: Ai;
  OPENAI_API_KEY?: string;
  OPENAI_BASE_URL?: string;
  OPENAI_MODEL?: string;
};
