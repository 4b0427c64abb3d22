import { test } from "vitest";
import { resendNotification, type ResendState } from "../../src/commands/index.ts";
import type { MemoryLog } from "../../src/testing/memory-log.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import { completed, delivered, origin, parked, queued, submitted, T1 } from "../support/facts.ts";

const { given } = specifyDecider({
  decide: (_: Record<string, never>, state: ResendState) => resendNotification(state),
  state,
  stream: T1,
});
const ended = [submitted({ origin }), completed(), queued()];

test.each([
  ["was delivered", delivered()],
  ["was given up", parked()],
])("FR-22: an outcome that %s is sent again", (_, end) => {
  given(...ended, end)
    .when({})
    .then([queued()]);
});

test("one that is on its way is not sent twice", () => {
  given(...ended)
    .when({})
    .then([]);
});

test("there is nothing to send before the end, nor to nobody", () => {
  given(submitted({ origin })).when({}).then("not-ended");
  given(submitted(), completed()).when({}).then("no-workflow");
});

function state(log: MemoryLog): ResendState {
  const { stream, version, turn } = log.turn(T1);
  return { stream, version, turn, due: log.projections.outbox.load("t1/1") !== undefined };
}
