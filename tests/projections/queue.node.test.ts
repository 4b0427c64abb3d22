import { describe, test } from "vitest";
import { queueReducer } from "../../src/projections/queue/reducer.ts";
import { specifyReducer } from "../../src/testing/specify-reducer.ts";
import * as facts from "../support/facts.ts";

const { aborted, applied, at, claimed, completed, failed, requeued, skipped, submitted, T1 } = facts;
const { given } = specifyReducer({ reducer: queueReducer, stream: T1 });

const waiting = {
  ordinal: 1,
  turnId: "t1",
  trigger: "submission",
  generation: 3,
  status: "pending",
  attempt: 0,
  epoch: 0,
  startedAt: null,
  applied: 0,
} as const;
const first = submitted({ generation: 3 });
const running = { ...waiting, status: "running", attempt: 1, epoch: 1, startedAt: 20 } as const;
const start = at(20, claimed());

test("an accepted turn of any trigger waits at its place", () => {
  given().when(first).then(waiting);
  given()
    .when(submitted({ generation: 3, trigger: "programmatic" }))
    .then({ ...waiting, trigger: "programmatic" });
});

test("a claimed turn runs", () => {
  given(first).when(start).then(running);
});

test("its messages are marked as applied", () => {
  given(first, start)
    .when(applied())
    .then({ ...running, applied: 1 });
});

test("decision 1: a turn that is given back keeps its place, its attempt, and what was applied", () => {
  given(first, start, applied())
    .when(requeued())
    .then({ ...waiting, attempt: 1, epoch: 1, applied: 1 });
});

test("the second claim has its own attempt, epoch and start", () => {
  given(first, start, requeued())
    .when(at(50, claimed({ attempt: 2, epoch: 2 })))
    .then({ ...running, attempt: 2, epoch: 2, startedAt: 50 });
});

test.each([completed(), failed(), aborted(), skipped()])("$type: a turn that ended is not in the lane", (end) => {
  given(first, start).when(end).then(null);
});

describe("what does not move a turn concerns no row", () => {
  test.each([
    facts.toolStarted(),
    facts.stepFinished(),
    facts.interrupted(),
    facts.linked(),
    facts.keyBound(),
    facts.mismatched(),
    facts.deleted(),
    facts.tombstoneExpired(),
    facts.queued(),
    facts.delivered(),
    facts.deliveryFailed(),
    facts.parked(),
    facts.workflowRequested(),
    facts.workflowStarted(),
    facts.workflowStartUnclear(),
    facts.workflowRequestFailed(),
    facts.workflowReported(),
    facts.laneReset(),
    facts.rebuilt(),
  ])("$type", (event) => {
    given(first).when(event).then(undefined);
  });
});
