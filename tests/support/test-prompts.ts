import type { AgentWorkflowEvent } from "agents/workflows";
import { z } from "zod";
import { ThinkPromptError, ThinkWorkflow, type ThinkWorkflowStep } from "../../src/workflows/index.ts";
import type { TestAgent } from "./test-agent.ts";

/** One prompt of a run. */
export type TestPrompt = {
  readonly step: string;
  readonly prompt?: string;
  readonly key?: string;
  readonly timeout?: number;
  readonly cancelOnTimeout?: boolean;
};

/** What a prompt gave its workflow. */
export type PromptResult =
  | { readonly output: unknown }
  | { readonly error: string; readonly message: string; readonly submissionId?: string };

export const Output = z.object({ title: z.string(), tags: z.array(z.string()).default([]) });

/** Makes the prompts that its params name, one after the other, and answers what each gave. */
export class TestPrompts extends ThinkWorkflow<TestAgent, { prompts: TestPrompt[] }> {
  override async run(
    event: AgentWorkflowEvent<{ prompts: TestPrompt[] }>,
    step: ThinkWorkflowStep,
  ): Promise<PromptResult[]> {
    const results: PromptResult[] = [];
    for (const { step: name, prompt = `Please ${name}`, ...options } of event.payload.prompts) {
      results.push(
        await step.prompt(name, { prompt, output: Output, ...options }).then((output) => ({ output }), told),
      );
    }
    return results;
  }
}

function told(error: unknown): PromptResult {
  if (!(error instanceof Error)) return { error: typeof error, message: String(error) };
  return {
    error: error.name,
    message: error.message,
    ...(error instanceof ThinkPromptError && { submissionId: error.submissionId }),
  };
}
