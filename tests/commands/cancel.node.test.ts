import { test } from "vitest";
import { cancel } from "../../src/commands/index.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import {
  aborted,
  applied,
  at,
  claimed,
  completed,
  deleted,
  failed,
  interrupted,
  origin,
  queued,
  requeued,
  skipped,
  submitted,
  T1,
} from "../support/facts.ts";

const { given } = specifyDecider({ decide: cancel, state: (log) => log.turn(T1), stream: T1 });

test("S-30: a waiting turn is aborted with the reason; nothing of it was applied", () => {
  given(submitted())
    .when({ error: "stop" })
    .then([aborted({ error: "stop" })]);
});

test("a waiting turn whose messages are stored with its end says so", () => {
  given(submitted())
    .when({ appliesMessages: true })
    .then([aborted({ messagesApplied: true })]);
});

test("S-31: without a reason there is no error text", () => {
  given(submitted()).when({}).then([aborted()]);
});

test("S-30: a running turn is aborted under its claim, saying whether its messages were applied", () => {
  given(submitted(), at(70, claimed()), applied())
    .when({ error: "stop" })
    .then([aborted({ error: "stop", epoch: 1, startedAt: 70, messagesApplied: true })]);
  given(submitted(), at(70, claimed()))
    .when({})
    .then([aborted({ epoch: 1, startedAt: 70, messagesApplied: false })]);
});

test("S-30: a turn that waits for a second attempt has its messages in the conversation, and no claim", () => {
  given(submitted(), at(70, claimed()), applied(), interrupted(), requeued())
    .when({ error: "stop" })
    .then([aborted({ error: "stop", messagesApplied: true })]);
});

test("FR-02: the workflow that waits for the turn gets one notification", () => {
  given(submitted({ origin }))
    .when({ error: "stop" })
    .then([aborted({ error: "stop" }), queued()]);
});

test.each([
  ["completed", completed()],
  ["failed", failed()],
  ["aborted", aborted()],
  ["skipped", skipped()],
])("S-30: a turn that is %s is already terminal", (_, end) => {
  given(submitted(), claimed(), end).when({ error: "stop" }).then("already-terminal");
});

test("S-30: an unknown or deleted turn is not found", () => {
  given().when({}).then("not-found");
  given(submitted(), claimed(), completed(), deleted()).when({}).then("not-found");
});
