import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { type AgentClient, inside } from "./agents.ts";
import type { PromptResult, TestPrompt } from "./test-prompts.ts";

export const BINDING = "TEST_PROMPTS";

const workflow = (): Workflow => (env as unknown as Record<typeof BINDING, Workflow>)[BINDING];

/** Start a run of these prompts; returns the instance's id. */
export const startPrompts = (agent: AgentClient, ...prompts: TestPrompt[]): Promise<string> =>
  inside(agent, (instance) => instance.runWorkflow(BINDING, { prompts }));

/** The same, all prompts at once. */
export const startInParallel = (agent: AgentClient, ...prompts: TestPrompt[]): Promise<string> =>
  inside(agent, (instance) => instance.runWorkflow(BINDING, { prompts, parallel: true }));

export const instanceOf = (id: string): Promise<WorkflowInstance> => workflow().get(id);

/** What the run's prompts gave, once it has ended. */
export async function resultsOf(id: string, timeout = 15_000): Promise<PromptResult[]> {
  const instance = await instanceOf(id);
  const ended = await vi.waitFor(
    async () => {
      const status = await instance.status();
      if (!["complete", "errored", "terminated"].includes(status.status)) {
        throw new Error(`The workflow is ${status.status}`);
      }
      return status;
    },
    { timeout, interval: 20 },
  );
  if (ended.status !== "complete")
    throw new Error(`The workflow ended as ${ended.status}: ${JSON.stringify(ended.error)}`);
  return ended.output as PromptResult[];
}

/** Start a run of these prompts, and wait for what they gave. */
export const runPrompts = async (agent: AgentClient, ...prompts: TestPrompt[]): Promise<PromptResult[]> =>
  resultsOf(await startPrompts(agent, ...prompts));
