// Triage: the agent classifies a report, a person approves, the labels are applied. It may wait for days in between.
import type { AgentWorkflowEvent } from "agents/workflows";
import { z } from "zod";
import { ThinkWorkflow, type ThinkWorkflowStep } from "../../src/workflows/index.ts";
import type { DemoAgent } from "../agent/demo-agent.ts";
import { APPROVAL } from "./note.ts";
import { told } from "./told.ts";

export const triage = z.object({
  severity: z.enum(["low", "medium", "high", "critical"]),
  labels: z.array(z.enum(["bug", "feature", "question", "docs", "login", "payment", "performance"])).min(1),
  summary: z.string().max(200),
});

export class TriageWorkflow extends ThinkWorkflow<DemoAgent, { text: string }> {
  override async run({ payload: { text } }: AgentWorkflowEvent<{ text: string }>, step: ThinkWorkflowStep) {
    const report = await told(step, "classify", () =>
      step.prompt("classify", {
        prompt: `Triage what a user wrote: choose its severity and its labels, and sum it up.\n\n${text}`,
        output: triage,
      }),
    );
    await told(step, APPROVAL, () => this.waitForApproval(step, { timeout: "7 days" }), "waiting");
    // A real one would call the issue tracker here; as a step it is tried again, and not repeated once it is done.
    const applied = await told(step, "apply-labels", () =>
      step.do("apply-labels", () => Promise.resolve({ labels: report.labels })),
    );
    const result = { ...report, ...applied };
    await step.reportComplete(result);
    return result;
  }
}
