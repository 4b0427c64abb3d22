// A workflow in a line: what it was started with, and how far it is.
import type { WorkflowInfo } from "agents/workflows";
import type { WorkflowKind, WorkflowSummary } from "./view.ts";

/** The bindings of wrangler.jsonc. */
export const BINDINGS = { triage: "TRIAGE", review: "REVIEW" } as const;

export function summaryOf(info: WorkflowInfo, waitsForApproval: boolean): WorkflowSummary {
  const { workflowId, status, error, createdAt, completedAt } = info;
  const waits = waitsForApproval && !completedAt;
  return {
    workflowId,
    kind: kindOf(info),
    about: aboutOf(info),
    state: waits ? "waiting" : status,
    waitsForApproval: waits,
    ...(error && { error: error.message }),
    createdAt: createdAt.getTime(),
    ...(completedAt && { completedAt: completedAt.getTime() }),
  };
}

const kindOf = ({ workflowName }: WorkflowInfo): WorkflowKind =>
  workflowName === BINDINGS.review ? "review" : "triage";

function aboutOf({ metadata, workflowId }: WorkflowInfo): string {
  const { text, files } = (metadata ?? {}) as { text?: string; files?: string[] };
  return text ?? files?.join(", ") ?? workflowId;
}
