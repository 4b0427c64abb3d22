import type { KnownEvent } from "../../events/index.ts";
import type { Reducer } from "../projection.ts";
import type { WorkflowRequestRow } from "./row.ts";

export const workflowRequestReducer: Reducer<WorkflowRequestRow, string> = {
  key: (event) => {
    switch (event.type) {
      case "WorkflowRequested":
      case "WorkflowStarted":
      case "WorkflowStartUnclear":
      case "WorkflowRequestFailed":
        return event.data.workflowId;
      default:
        return undefined;
    }
  },
  reduce: (row, event) => {
    if (event.type === "WorkflowRequested") return requested(event);
    return row && event.type === "WorkflowStartUnclear" ? { ...row, failure: event.data.error } : null;
  },
};

const requested = ({ data }: Extract<KnownEvent, { type: "WorkflowRequested" }>): WorkflowRequestRow => ({
  workflowId: data.workflowId,
  workflowName: data.workflowName,
  params: data.params ?? null,
  metadata: data.metadata ?? null,
  agentBinding: data.agentBinding ?? null,
  retention: data.retention === undefined ? null : JSON.stringify(data.retention),
  failure: null,
});
