// The events of one workflow: its own and those of the turns it waits for, in the order of the log.
import type { AuditEvent, AuditLogOptions, AuditLogPage } from "../../../src/index.ts";

type AuditLog = (options: AuditLogOptions) => Promise<AuditLogPage>;

export type WorkflowTrail = { events: AuditEvent[]; prompts: { submissionId: string; stepName: string }[] };

const PAGE = 500;

export async function readTrail(auditLog: AuditLog, workflowId: string): Promise<WorkflowTrail> {
  const own = await backToTheStart(auditLog, workflowId);
  const prompts = own.flatMap(promptIn);
  const turns = await Promise.all(prompts.map(({ submissionId }) => auditLog({ submissionId, limit: PAGE })));
  const all = new Map([...own, ...turns.flatMap(({ events }) => events)].map((event) => [event.position, event]));
  return { prompts, events: [...all.values()].toSorted((one, other) => one.position - other.position) };
}

/** From the newest back to the request: what is older cannot be about it. */
async function backToTheStart(auditLog: AuditLog, workflowId: string): Promise<AuditEvent[]> {
  const found: AuditEvent[] = [];
  let cursor: string | undefined;
  do {
    const page = await auditLog({ workflowId, order: "desc", limit: PAGE, cursor });
    found.push(...page.events);
    cursor = page.events.some(({ type }) => type === "WorkflowRequested") ? undefined : page.cursor;
  } while (cursor !== undefined);
  return found.toReversed();
}

function promptIn({ type, data }: AuditEvent): WorkflowTrail["prompts"] {
  if (type !== "TurnSubmitted") return [];
  const { turnId, origin } = data as { turnId: string; origin?: { stepName: string } };
  return origin ? [{ submissionId: turnId, stepName: origin.stepName }] : [];
}
