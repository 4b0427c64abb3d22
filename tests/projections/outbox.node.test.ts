import { describe, test } from "vitest";
import { outboxReducer } from "../../src/projections/outbox/reducer.ts";
import { specifyReducer } from "../../src/testing/specify-reducer.ts";
import * as facts from "../support/facts.ts";

const { at, completed, deleted, delivered, deliveryFailed, parked, queued, submitted, T1 } = facts;
const { given } = specifyReducer({ reducer: outboxReducer, stream: T1 });

const ended = [submitted(), completed()];
const due = {
  notificationId: "t1/1",
  stream: T1,
  turnId: "t1",
  workflowName: "REPORT",
  workflowId: "w1",
  eventType: "thinklog-prompt",
  status: "due",
  attempts: 0,
  dueAt: 30,
  failingSince: null,
  error: null,
} as const;
const enqueue = at(30, queued());

test("a queued notification is due at once", () => {
  given(...ended)
    .when(enqueue)
    .then(due);
});

test("a delivered one stays on record, with nothing left to do", () => {
  given(...ended, enqueue)
    .when(delivered())
    .then({ ...due, status: "delivered", attempts: 1, dueAt: null });
});

test("a failed one is due later, and knows since when it fails", () => {
  given(...ended, enqueue)
    .when(at(40, deliveryFailed()))
    .then({ ...due, attempts: 1, dueAt: 2000, failingSince: 40, error: "unreachable" });
});

test("the time of the first failure stays, the newest error counts", () => {
  given(...ended, enqueue, at(40, deliveryFailed()))
    .when(at(50, deliveryFailed({ attempt: 2, error: "still", retryAt: 9000 })))
    .then({ ...due, attempts: 2, dueAt: 9000, failingSince: 40, error: "still" });
});

test("a delivery after failures clears the error", () => {
  given(...ended, enqueue, at(40, deliveryFailed()))
    .when(delivered({ attempt: 2 }))
    .then({ ...due, status: "delivered", attempts: 2, dueAt: null, failingSince: 40 });
});

test("a parked one says why, with nothing left to do", () => {
  given(...ended, enqueue)
    .when(parked())
    .then({ ...due, status: "parked", dueAt: null, error: "instance gone" });
});

test("a delivery of a notification that is not there makes none", () => {
  given(...ended)
    .when(delivered())
    .then(null);
});

test("a notification outlives its turn", () => {
  given(...ended, enqueue, deleted())
    .when(delivered())
    .then({ ...due, status: "delivered", attempts: 1, dueAt: null });
});

describe("all other events concern no notification", () => {
  test.each([
    submitted(),
    facts.claimed(),
    facts.applied(),
    facts.toolStarted(),
    facts.stepFinished(),
    facts.interrupted(),
    facts.requeued(),
    completed(),
    facts.failed(),
    facts.aborted(),
    facts.skipped(),
    facts.linked(),
    facts.keyBound(),
    facts.mismatched(),
    deleted(),
    facts.tombstoneExpired(),
    facts.workflowRequested(),
    facts.workflowStarted(),
    facts.workflowStartUnclear(),
    facts.workflowRequestFailed(),
    facts.workflowReported(),
    facts.laneReset(),
    facts.rebuilt(),
  ])("$type", (event) => {
    given(...ended, enqueue)
      .when(event)
      .then(undefined);
  });
});
