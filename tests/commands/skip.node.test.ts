import { test } from "vitest";
import { skip, SKIPPED_BY_RESET } from "../../src/commands/index.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import { aborted, claimed, completed, origin, queued, requeued, skipped, submitted, T1 } from "../support/facts.ts";

const { given } = specifyDecider({ decide: skip, state: (log) => log.turn(T1), stream: T1 });
const reason = { error: SKIPPED_BY_RESET };

test("S-33: a waiting turn is skipped with the reason", () => {
  given(submitted()).when(reason).then([skipped()]);
});

test("a turn that waits for a second attempt is skipped too", () => {
  given(submitted(), claimed(), requeued()).when(reason).then([skipped()]);
});

test("FR-20: the workflow that waits for it is notified", () => {
  given(submitted({ origin })).when(reason).then([skipped(), queued()]);
});

test("K-24: a turn that a later one supersedes says which", () => {
  given(submitted())
    .when({ error: "Superseded by request t2.", supersededBy: "t2" })
    .then([skipped({ error: "Superseded by request t2.", supersededBy: "t2" })]);
});

test.each([
  ["does not exist", []],
  ["runs", [submitted(), claimed()]],
  ["completed", [submitted(), claimed(), completed()]],
  ["was cancelled", [submitted(), aborted()]],
  ["was skipped", [submitted(), skipped()]],
])("a turn that %s is not skipped", (_, story) => {
  given(...story)
    .when(reason)
    .then("not-pending");
});
