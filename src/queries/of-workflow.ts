import { workflowStream } from "../events/index.ts";
import type { EventRow } from "../log/index.ts";

/**
 * Is the event about this workflow: its start and end, a prompt it waits for, or the notification of that prompt? No
 * index knows, so most events must be told by their text, without parsing it.
 */
export function concernsWorkflow({ stream, data }: EventRow, workflowId: string): boolean {
  if (stream === workflowStream(workflowId)) return true;
  if (!data.includes(JSON.stringify(workflowId))) return false;
  const facts = JSON.parse(data) as { workflowId?: unknown; origin?: { workflowId?: unknown } };
  return facts.workflowId === workflowId || facts.origin?.workflowId === workflowId;
}
