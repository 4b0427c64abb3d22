/**
 * The workflow of the benchmark, over either `ThinkWorkflow`: so many prompts one after the other, or so many bare
 * steps with an event each, and how long one took. It says so to the agent, who lets its caller go.
 */
import { z } from "zod";

type Params = { readonly kind: "prompts" | "events"; readonly count: number };

type PromptStep = {
  do(name: string, run: () => Promise<void>): Promise<void>;
  waitForEvent(name: string, options: { type: string; timeout: string }): Promise<unknown>;
  prompt(name: string, options: { prompt: string; output: z.ZodObject; key: string }): Promise<Record<string, unknown>>;
};

interface WorkflowUnderTest {
  readonly agent: { benchDone(ms: number): Promise<void>; benchSendEvent(type: string): Promise<void> };
}

type WorkflowClass = new (ctx: ExecutionContext, env: Cloudflare.Env) => WorkflowUnderTest;

const OUTPUT = z.object({ answer: z.string() });

export function benchPrompts(Base: WorkflowClass) {
  return class BenchPrompts extends Base {
    async run(event: { payload: Params }, step: PromptStep): Promise<void> {
      const { kind, count } = event.payload;
      const startedAt = Date.now();
      for (let i = 0; i < count; i++) {
        if (kind === "prompts") await this.#prompt(step, i);
        else await this.#event(step, i);
      }
      await this.agent.benchDone((Date.now() - startedAt) / count);
    }

    async #prompt(step: PromptStep, i: number): Promise<void> {
      const { answer } = await step.prompt("ask", { prompt: "How is everything?", output: OUTPUT, key: `${i}` });
      if (answer !== "All is well.") throw new Error(`The prompt was answered with ${String(answer)}.`);
    }

    /** What the engine takes by itself: a step that calls the agent, and a wait for what the agent sends. */
    async #event(step: PromptStep, i: number): Promise<void> {
      await step.do(`ask-${i}`, () => this.agent.benchSendEvent(`answer-${i}`));
      await step.waitForEvent(`wait-${i}`, { type: `answer-${i}`, timeout: "1 minute" });
    }
  };
}
