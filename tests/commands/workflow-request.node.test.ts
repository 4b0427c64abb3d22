import { describe, test } from "vitest";
import {
  endWorkflowRequest,
  leaveUnclear,
  reportWorkflow,
  requestWorkflow,
  type WorkflowState,
} from "../../src/commands/index.ts";
import type { MemoryLog } from "../../src/testing/memory-log.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import {
  W1,
  workflowReported,
  workflowRequested,
  workflowRequestFailed,
  workflowStarted,
  workflowStartUnclear,
} from "../support/facts.ts";

const state = (log: MemoryLog): WorkflowState => ({
  version: log.stream(W1)?.version ?? 0,
  open: log.projections.workflowRequests.load("w1") !== undefined,
});
const specify = { state, stream: W1 };

describe("a request", () => {
  const { given } = specifyDecider({ ...specify, decide: requestWorkflow });
  const request = workflowRequested().data;

  test("is on record before anything is done about it", () => {
    given().when({ request, retry: false }).then([workflowRequested()]);
  });

  test("FR-27: a retry of one that is open joins it", () => {
    given(workflowRequested()).when({ request, retry: true }).then([]);
  });

  test("another one under the id of one that is open is refused", () => {
    given(workflowRequested()).when({ request, retry: false }).then("taken");
  });

  test.each([workflowStarted(), workflowRequestFailed()])("may come again after $type", (end) => {
    given(workflowRequested(), end).when({ request, retry: false }).then([workflowRequested()]);
  });
});

describe("its end", () => {
  const { given } = specifyDecider({ ...specify, decide: endWorkflowRequest });

  test.each([workflowStarted(), workflowStarted({ adopted: true }), workflowRequestFailed()])(
    "is on record: $type",
    (end) => {
      given(workflowRequested()).when(end.data).then([end]);
    },
  );

  test.each([workflowStarted(), workflowRequestFailed()])("is there once: after $type nothing is added", (end) => {
    given(workflowRequested(), end).when(workflowStarted().data).then([]);
    given(workflowRequested(), end).when(workflowRequestFailed().data).then([]);
  });
});

describe("an error after which nobody can tell", () => {
  const { given } = specifyDecider({ ...specify, decide: leaveUnclear });

  test("is on record, and the request stays open", () => {
    given(workflowRequested()).when(workflowStartUnclear().data).then([workflowStartUnclear()]);
    given(workflowRequested(), workflowStartUnclear())
      .when(workflowStartUnclear({ error: "again" }).data)
      .then([workflowStartUnclear({ error: "again" })]);
  });

  test("means nothing for one that ended", () => {
    given(workflowRequested(), workflowStarted()).when(workflowStartUnclear().data).then([]);
  });
});

describe("FR-39: what a workflow tells of its end", () => {
  const { given } = specifyDecider({ ...specify, decide: reportWorkflow });
  const failed = workflowReported({ kind: "error", error: "down" });

  test("is on record", () => {
    given(workflowRequested(), workflowStarted()).when(failed.data).then([failed]);
  });

  test("each time: it may have been restarted", () => {
    given(workflowRequested(), workflowStarted(), failed).when(workflowReported().data).then([workflowReported()]);
  });

  test("also when this agent has not started it through runWorkflow", () => {
    given().when(workflowReported().data).then([workflowReported()]);
  });
});
