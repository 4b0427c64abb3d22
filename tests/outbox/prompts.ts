import type { AgentClient } from "../support/agents.ts";

/** A prompt as `step.prompt()` of a workflow submits it; the same step of the same instance is the same prompt. */
export const promptFrom = (workflowId: string, step = "sum") => ({
  prompt: "Add it up",
  idempotencyKey: `${workflowId}/${step}`,
  workflow: { name: "REPORT", id: workflowId, stepName: step, eventType: `prompt-${step}` },
  schema: { type: "object" },
  fingerprint: "f",
});

/** Submit it; returns the submission's id. */
export const ask = async (agent: AgentClient, workflowId: string, step?: string): Promise<string> =>
  (await agent._thinklog_submitPrompt(promptFrom(workflowId, step))).submissionId;
