import type { AgentWorkflowEvent } from "agents/workflows";
import { z } from "zod";
import { ThinkWorkflow, type ThinkWorkflowStep } from "../../src/workflows/index.ts";
import type { TestAgent } from "./test-agent.ts";

type Params = { readonly timeout?: number; readonly cancelOnTimeout?: boolean };

/** A workflow of one prompt. */
export class TestPrompts extends ThinkWorkflow<TestAgent, Params> {
  override async run({ payload }: AgentWorkflowEvent<Params>, step: ThinkWorkflowStep) {
    return step.prompt("ask", { prompt: "Why?", output: z.object({ answer: z.string() }), ...payload });
  }
}
