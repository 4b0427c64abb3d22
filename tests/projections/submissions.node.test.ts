import { describe, test } from "vitest";
import { submissionReducer } from "../../src/projections/submissions/reducer.ts";
import { specifyReducer } from "../../src/testing/specify-reducer.ts";
import * as facts from "../support/facts.ts";

const { aborted, at, claimed, completed, deleted, failed, keyBound, linked, requeued, skipped, submitted, T1 } = facts;
const { given } = specifyReducer({ reducer: submissionReducer, stream: T1 });

const first = at(10, submitted({ idempotencyKey: "k", metadata: "digest-m" }));
const accepted = {
  ordinal: 1,
  submissionId: "t1",
  idempotencyKey: "k",
  createdAt: 10,
  payload: "digest-1",
  metadata: "digest-m",
  status: null,
  error: null,
  startedAt: null,
  completedAt: null,
  messageId: null,
} as const;
const ended = { epoch: 1, startedAt: 20 };

test("S-1: an accepted submission is in the ledger at its acceptance, without an end", () => {
  given().when(first).then(accepted);
});

test("what a submission does not have is null", () => {
  const { payload: _, ...data } = submitted().data;
  given()
    .when(at(10, { type: "TurnSubmitted", data }))
    .then({ ...accepted, idempotencyKey: null, payload: null, metadata: null });
});

test.each(["submission", "scheduled"] as const)(
  "a turn that was submitted for later (%s) is in the ledger",
  (trigger) => {
    given()
      .when(at(10, submitted({ ...first.data, trigger })))
      .then(accepted);
  },
);

test.each([
  "ws-chat",
  "rpc",
  "programmatic",
  "agent-tool",
  "auto-continuation",
  "recovery-continue",
  "recovery-retry",
] as const)("a turn whose caller waits (%s) is not, from its acceptance to its end", (trigger) => {
  given().when(submitted({ trigger })).then(undefined);
  given(submitted({ trigger }), claimed()).when(completed()).then(null);
});

describe("S-16: what happens while it lives changes nothing in the ledger", () => {
  test.each([
    claimed(),
    facts.applied(),
    facts.toolStarted(),
    facts.stepFinished(),
    facts.interrupted(),
    requeued(),
    facts.mismatched(),
    facts.queued(),
    facts.delivered(),
    facts.deliveryFailed(),
    facts.parked(),
    facts.tombstoneExpired(),
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

describe("its end", () => {
  test("completed: the times and the message", () => {
    given(first, claimed())
      .when(at(30, completed({ ...ended, messageId: "a1" })))
      .then({ ...accepted, status: "completed", startedAt: 20, completedAt: 30, messageId: "a1" });
  });

  test("failed: the reason", () => {
    given(first, claimed())
      .when(at(30, failed(ended)))
      .then({ ...accepted, status: "error", error: "boom", startedAt: 20, completedAt: 30 });
  });

  test("aborted while it waited: no start; the reason, if there is one", () => {
    given(first)
      .when(at(30, aborted({ error: "stop" })))
      .then({ ...accepted, status: "aborted", error: "stop", completedAt: 30 });
    given(first)
      .when(at(30, aborted()))
      .then({ ...accepted, status: "aborted", completedAt: 30 });
  });

  test("skipped: the reason", () => {
    given(first)
      .when(at(30, skipped({ error: "reset" })))
      .then({ ...accepted, status: "skipped", error: "reset", completedAt: 30 });
  });

  test("S-20: a message that is linked after a cancel", () => {
    given(first, claimed(), at(30, aborted(ended)))
      .when(linked())
      .then({ ...accepted, status: "aborted", startedAt: 20, completedAt: 30, messageId: "a1" });
  });
});

test("a key that a retry bound is in the ledger", () => {
  given(at(10, submitted({ metadata: "digest-m" })))
    .when(keyBound())
    .then(accepted);
});

test("FR-15: a deleted submission is not in the ledger", () => {
  given(first, aborted()).when(deleted()).then(null);
});

test("an id that is used again has a row of its own, at its own place", () => {
  given(submitted(), aborted(), deleted())
    .when(first)
    .then({ ...accepted, ordinal: 4 });
});
