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
  /** A step of so many milliseconds comes before the prompt. */
  readonly after?: number;
};

/** What a prompt gave its workflow. */
export type PromptResult =
  | { readonly output: unknown }
  | { readonly error: string; readonly message: string; readonly submissionId?: string };

export const Output = z.object({ title: z.string(), tags: z.array(z.string()).default([]) });

type TestParams = { readonly prompts: readonly TestPrompt[]; readonly parallel?: boolean };

/** Makes the prompts that its params name, one after the other or all at once, and answers what each gave. */
export class TestPrompts extends ThinkWorkflow<TestAgent, TestParams> {
  override async run(event: AgentWorkflowEvent<TestParams>, step: ThinkWorkflowStep): Promise<PromptResult[]> {
    const { prompts, parallel = false } = event.payload;
    if (parallel) return Promise.all(prompts.map((prompt) => resultOf(step, prompt)));
    const results: PromptResult[] = [];
    for (const prompt of prompts) results.push(await resultOf(step, prompt));
    return results;
  }
}

async function resultOf(
  step: ThinkWorkflowStep,
  { step: name, prompt = `Please ${name}`, after, ...options }: TestPrompt,
): Promise<PromptResult> {
  if (after !== undefined) await step.do(`before ${prompt}`, () => scheduler.wait(after));
  return step.prompt(name, { prompt, output: Output, ...options }).then((output) => ({ output }), told);
}

function told(error: unknown): PromptResult {
  // The engine stops (a pause, say) by letting its steps fail: that is no result.
  if (error instanceof Error && error.message.startsWith("Aborting engine")) throw error;
  if (!(error instanceof Error)) return { error: typeof error, message: String(error) };
  return {
    error: error.name,
    message: error.message,
    ...(error instanceof ThinkPromptError && { submissionId: error.submissionId }),
  };
}
