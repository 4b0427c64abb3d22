import { describe, test } from "vitest";
import { workflowRequestReducer } from "../../src/projections/workflow-requests/reducer.ts";
import { specifyReducer } from "../../src/testing/specify-reducer.ts";
import * as facts from "../support/facts.ts";

const { W1, workflowReported, workflowRequested, workflowRequestFailed, workflowStarted, workflowStartUnclear } = facts;
const { given } = specifyReducer({ reducer: workflowRequestReducer, stream: W1 });

const open = {
  workflowId: "w1",
  workflowName: "REPORT",
  params: "digest-params",
  metadata: null,
  agentBinding: null,
  retention: null,
  failure: null,
};

test("a workflow that is asked for is open", () => {
  given().when(workflowRequested()).then(open);
});

test("all that is needed to start it is in the row", () => {
  given()
    .when(workflowRequested({ metadata: "digest-m", agentBinding: "Agent", retention: { errorRetention: "1 day" } }))
    .then({ ...open, metadata: "digest-m", agentBinding: "Agent", retention: '{"errorRetention":"1 day"}' });
});

test("one that started is not open any more", () => {
  given(workflowRequested()).when(workflowStarted()).then(null);
});

test("nor is one that failed, until it is asked for again", () => {
  given(workflowRequested()).when(workflowRequestFailed()).then(null);
  given(workflowRequested(), workflowRequestFailed()).when(workflowRequested()).then(open);
});

test("one of which nobody can tell whether it started stays open, with the error that its caller got", () => {
  given(workflowRequested())
    .when(workflowStartUnclear())
    .then({ ...open, failure: "unreachable" });
  given(workflowRequested(), workflowStartUnclear()).when(workflowStarted()).then(null);
  given(workflowRequested(), workflowStarted()).when(workflowStartUnclear()).then(null);
});

describe("all other events concern no request", () => {
  test.each([workflowReported(), facts.submitted(), facts.queued(), facts.laneReset(), facts.rebuilt()])(
    "$type",
    (event) => {
      given(workflowRequested()).when(event).then(undefined);
    },
  );
});
