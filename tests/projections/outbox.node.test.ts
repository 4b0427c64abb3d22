import { describe, test } from "vitest";
import { outboxReducer } from "../../src/projections/outbox/reducer.ts";
import { specifyReducer } from "../../src/testing/specify-reducer.ts";
import * as facts from "../support/facts.ts";

const { at, completed, deleted, delivered, deliveryFailed, parked, queued, submitted, T1 } = facts;
const { given } = specifyReducer({ reducer: outboxReducer, stream: T1 });

const ended = [submitted(), completed()];
const due = {
  notificationId: "t1/1",
  turnId: "t1",
  ordinal: 1,
  workflowName: "REPORT",
  workflowId: "w1",
  eventType: "thinklog-prompt",
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

test("a delivered one is nothing to do any more, nor is a parked one", () => {
  given(...ended, enqueue)
    .when(delivered())
    .then(null);
  given(...ended, enqueue, at(40, deliveryFailed()))
    .when(parked({ attempts: 2 }))
    .then(null);
});

test("queued again, it is due again as if for the first time", () => {
  given(...ended, enqueue, at(40, deliveryFailed()), parked({ attempts: 2 }))
    .when(at(50, queued()))
    .then({ ...due, dueAt: 50 });
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

test("a delivery of a notification that is not there makes none", () => {
  given(...ended)
    .when(delivered())
    .then(null);
});

test("a notification outlives its turn", () => {
  given(...ended, enqueue, deleted())
    .when(at(40, deliveryFailed()))
    .then({ ...due, attempts: 1, dueAt: 2000, failingSince: 40, error: "unreachable" });
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
