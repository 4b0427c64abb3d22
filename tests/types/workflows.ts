/** Workflows as applications write them: what `step.prompt()` accepts and gives. */
import type { AgentWorkflowEvent } from "agents/workflows";
import type * as Theirs from "@cloudflare/think/workflows";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import type * as Ours from "../../src/workflows/index.ts";
import { ThinkPromptError, ThinkWorkflow, type ThinkWorkflowStep } from "../../src/workflows/index.ts";
import type { Minimal } from "./agent.ts";
import type { Assignable, Equal, Expect } from "./expect.ts";

type Params = { readonly topic: string };

const Report = z.object({ title: z.string(), tags: z.array(z.string()).default([]), day: z.iso.date().optional() });

declare const maybe: { key?: string; timeout?: number; cancel?: boolean };

export class Reports extends ThinkWorkflow<Minimal, Params> {
  override async run(event: AgentWorkflowEvent<Params>, step: ThinkWorkflowStep) {
    const report = await step.prompt("report", { prompt: event.payload.topic, output: Report });
    const old = await step.prompt("old", { prompt: "Old", output: z3.object({ n: z3.number() }) });
    const inline = await step.prompt("x", {
      prompt: "X",
      output: z.object({ answer: z.number() }),
      timeout: "2 hours",
    });
    const { key, timeout, cancel: cancelOnTimeout } = maybe;
    await step.prompt("y", { prompt: "Y", output: Report, key, timeout, cancelOnTimeout });
    // @ts-expect-error - an output is an object
    await step.prompt("z", { prompt: "Z", output: z.string() });
    // @ts-expect-error - no duration
    await step.prompt("z", { prompt: "Z", output: Report, timeout: "soon" });
    const types: [
      Expect<Equal<typeof report, z.infer<typeof Report>>>,
      Expect<Equal<typeof old, { n: number }>>,
      Expect<Equal<typeof inline, { answer: number }>>,
    ] = [true, true, true];
    await this.agent.inspectSubmission("s1");
    return { types, title: await step.do("title", async () => report.title) };
  }
}

/** Without type arguments too. */
export class Bare extends ThinkWorkflow {
  override async run(_: AgentWorkflowEvent<unknown>, step: ThinkWorkflowStep) {
    try {
      return await step.prompt("x", { prompt: "X", output: z.object({ answer: z.number() }) });
    } catch (error) {
      if (error instanceof ThinkPromptError && error.status === "aborted") return error.submissionId;
      throw error;
    }
  }
}

export type SameAsTarget = [
  Expect<Assignable<Theirs.ThinkPromptOptions<typeof Report>, Ours.ThinkPromptOptions<typeof Report>>>,
  Expect<Assignable<Ours.ThinkPromptError, Theirs.ThinkPromptError>>,
  Expect<Assignable<Ours.ThinkWorkflowStep, Theirs.ThinkWorkflowStep>>,
];
