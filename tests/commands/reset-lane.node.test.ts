import { test } from "vitest";
import { resetLane } from "../../src/commands/index.ts";
import { LANE_STREAM } from "../../src/events/index.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import {
  aborted,
  applied,
  at,
  claimed,
  completed,
  laneReset,
  on,
  onLane,
  origin,
  queued,
  requeued,
  skipped,
  submitted,
  T1,
  T2,
} from "../support/facts.ts";

const { given } = specifyDecider({
  decide: resetLane,
  state: (log) => ({
    version: log.stream(LANE_STREAM)?.version ?? 0,
    generation: log.stream(LANE_STREAM)?.version ?? 0,
    live: log.projections.queue.all().map((row) => log.turn(`turn/${row.turnId}`)),
  }),
  stream: T1,
});
const reset = { reason: "reset", skipped: "Submission was skipped by turn reset.", aborted: "Turn state reset" };

test("FR-20: what runs is aborted and what waits is skipped, in one commit with the next generation", () => {
  given(submitted(), on(T2, submitted({ turnId: "t2" })), at(70, claimed()), applied())
    .when(reset)
    .then([
      onLane(laneReset()),
      aborted({ epoch: 1, startedAt: 70, error: "Turn state reset", messagesApplied: true }),
      on(T2, skipped()),
    ]);
});

test("FR-20: each workflow that waits for one of them is notified", () => {
  given(submitted({ origin }), on(T2, submitted({ turnId: "t2", origin })), claimed())
    .when(reset)
    .then([
      onLane(laneReset()),
      aborted({ epoch: 1, startedAt: 0, error: "Turn state reset" }),
      queued(),
      on(T2, skipped()),
      on(T2, queued({ notificationId: "t2/2", turnId: "t2", ordinal: 2 })),
    ]);
});

test("a turn that waits for a second attempt is skipped", () => {
  given(submitted(), claimed(), applied(), requeued())
    .when(reset)
    .then([onLane(laneReset()), skipped()]);
});

test("an empty lane moves to the next generation all the same", () => {
  given()
    .when(reset)
    .then([onLane(laneReset())]);
});

test("each reset is one generation further", () => {
  given(onLane(laneReset()))
    .when({ ...reset, reason: "clear" })
    .then([onLane(laneReset({ generation: 2, reason: "clear" }))]);
});

test("turns that ended are left as they are", () => {
  given(submitted(), claimed(), completed())
    .when(reset)
    .then([onLane(laneReset())]);
});
