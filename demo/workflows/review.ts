// A review: one prompt a file, by a key, so that each file is asked about once however often the workflow is run.
import type { AgentWorkflowEvent } from "agents/workflows";
import { z } from "zod";
import { ThinkWorkflow, type ThinkWorkflowStep } from "../../src/workflows/index.ts";
import type { DemoAgent } from "../agent/demo-agent.ts";
import { told } from "./told.ts";

const review = z.object({
  verdict: z.enum(["fine", "needs work"]),
  remarks: z.array(z.string().max(200)),
});

export class ReviewWorkflow extends ThinkWorkflow<DemoAgent, { files: string[] }> {
  override async run({ payload: { files } }: AgentWorkflowEvent<{ files: string[] }>, step: ThinkWorkflowStep) {
    const reviews: Record<string, z.infer<typeof review>> = {};
    for (const file of files) {
      reviews[file] = await told(step, `review ${file}`, () =>
        step.prompt("review", {
          key: file,
          prompt: `Say of this file whether it is fine, and what you noticed.\n\n${file}`,
          output: review,
        }),
      );
    }
    await step.reportComplete(reviews);
    return reviews;
  }
}
