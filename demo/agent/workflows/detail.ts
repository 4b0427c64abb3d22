// Everything around one workflow, put together from where each part is kept.
import type { AuditEvent, Think } from "../../../src/index.ts";
import { deliveredIn } from "./deliveries.ts";
import { openNotifications } from "./outbox.ts";
import { readTrail } from "./trail.ts";
import type { WorkflowDetail, WorkflowPromptView, WorkflowStepView, WorkflowSummary } from "./view.ts";

type Agent = Pick<Think, "auditLog" | "auditPayload" | "inspectSubmission" | "listNotifications">;

export async function detailOf(
  agent: Agent,
  workflow: WorkflowSummary,
  steps: WorkflowStepView[],
): Promise<WorkflowDetail> {
  const { events, prompts } = await readTrail((options) => agent.auditLog(options), workflow.workflowId);
  const outputs = new Map(events.flatMap(outputIn));
  const submissions = await Promise.all(
    prompts.map((prompt) => promptView(agent, prompt, outputs.get(prompt.submissionId))),
  );
  const notifications = [...(await openNotifications(agent, workflow.workflowId)), ...deliveredIn(events)];
  return { workflow, steps, submissions, notifications, events };
}

async function promptView(
  agent: Agent,
  { submissionId, stepName }: { submissionId: string; stepName: string },
  digest: string | undefined,
): Promise<WorkflowPromptView> {
  const known = await agent.inspectSubmission(submissionId);
  const output = digest === undefined ? undefined : await agent.auditPayload(digest);
  return {
    submissionId,
    stepName,
    status: known?.status ?? "deleted",
    ...(known?.error !== undefined && { error: known.error }),
    ...(output !== undefined && output !== null && { output }),
  };
}

function outputIn({ type, stream, data }: AuditEvent): [submissionId: string, digest: string][] {
  const { output } = data as { output?: string };
  return type === "TurnCompleted" && output !== undefined ? [[stream.replace(/^turn\//, ""), output]] : [];
}
