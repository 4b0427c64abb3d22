import { type EventData, type ThinkEvent, workflowStream } from "../events/index.ts";
import { type Decision, nothing, record, refuse } from "./decision.ts";

/** What the deciders know of one workflow. */
export type WorkflowState = {
  /** Version of its stream. */
  readonly version: number;
  /** It was asked for, and neither started nor failed since. */
  readonly open: boolean;
};

export type RequestWorkflow = {
  readonly request: EventData<"WorkflowRequested">;
  /** Is this the very request that is open? Then it is a retry. */
  readonly retry: boolean;
};

/** Ask for a workflow. A retry of one that is under way joins it; another one under its id is refused. */
export function requestWorkflow({ request, retry }: RequestWorkflow, state: WorkflowState): Decision<"taken"> {
  if (state.open) return retry ? nothing : refuse("taken");
  return one(request.workflowId, state, { type: "WorkflowRequested", data: request });
}

/** How a start ended. */
export type EndRequest = EventData<"WorkflowStarted"> | EventData<"WorkflowRequestFailed">;

/** The first end counts: a start that two of us did is on record once. */
export function endWorkflowRequest(end: EndRequest, state: WorkflowState): Decision {
  if (!state.open) return nothing;
  const event: ThinkEvent =
    "error" in end ? { type: "WorkflowRequestFailed", data: end } : { type: "WorkflowStarted", data: end };
  return one(end.workflowId, state, event);
}

/** Its caller got an error, but it may have started. */
export function leaveUnclear(facts: EventData<"WorkflowStartUnclear">, state: WorkflowState): Decision {
  if (!state.open) return nothing;
  return one(facts.workflowId, state, { type: "WorkflowStartUnclear", data: facts });
}

/** What a workflow tells of its end. Each time: it may have been restarted. */
export const reportWorkflow = (report: EventData<"WorkflowReported">, state: WorkflowState): Decision =>
  one(report.workflowId, state, { type: "WorkflowReported", data: report });

const one = (workflowId: string, { version }: WorkflowState, event: ThinkEvent) =>
  record({ stream: workflowStream(workflowId), expectedVersion: version, events: [event] });
