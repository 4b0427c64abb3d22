import { test } from "vitest";
import { claim } from "../../src/commands/index.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import {
  aborted,
  applied,
  cancelledWhileWaiting,
  claimed,
  completed,
  deleted,
  requeued,
  skipped,
  submitted,
  T1,
} from "../support/facts.ts";

const { given } = specifyDecider({ decide: claim, state: (log) => log.turn(T1), stream: T1 });
const take = { generation: 0, laneBusy: false, parentId: null };

test("S-25: claiming a turn applies its messages in the same commit", () => {
  given(submitted())
    .when({ ...take, messageIds: ["m1", "m2"], parentId: "a0" })
    .then([claimed({ epoch: 2 }), applied({ epoch: 2, messageIds: ["m1", "m2"], parentId: "a0" })]);
});

test("a turn whose messages are made by a function is claimed without them", () => {
  given(submitted({ messageIds: [] }))
    .when(take)
    .then([claimed({ epoch: 2 })]);
});

test("a second attempt has the next attempt and epoch, and does not apply again", () => {
  given(submitted(), claimed(), applied(), requeued())
    .when({ ...take, messageIds: ["m1"] })
    .then([claimed({ attempt: 2, epoch: 5 })]);
});

test("a second attempt applies what the first could not", () => {
  given(submitted(), claimed(), requeued())
    .when({ ...take, messageIds: ["m1"] })
    .then([claimed({ attempt: 2, epoch: 4 }), applied({ epoch: 4 })]);
});

test("FR-04: an id that is used again never sees an epoch of its life before", () => {
  given(submitted(), claimed({ epoch: 2 }), aborted(), deleted(), submitted())
    .when(take)
    .then([claimed({ attempt: 1, epoch: 6 })]);
});

test("one turn runs at a time: nothing is claimed while the lane is busy", () => {
  given(submitted())
    .when({ ...take, laneBusy: true })
    .then("lane-busy");
});

test("S-29: a turn accepted before a reset is never claimed, one accepted after it is", () => {
  given(submitted({ generation: 1 }))
    .when({ ...take, generation: 2 })
    .then("stale-generation");
  given(submitted({ generation: 2 }))
    .when({ ...take, generation: 2 })
    .then([claimed({ epoch: 2 })]);
});

test("S-29: a turn of an older generation is stale also while the lane is busy, so that it can be skipped", () => {
  given(submitted())
    .when({ ...take, generation: 1, laneBusy: true })
    .then("stale-generation");
});

test.each([
  ["that does not exist", []],
  ["that runs", [submitted(), claimed()]],
  ["that completed", [submitted(), claimed(), completed()]],
  ["that was cancelled", [submitted(), cancelledWhileWaiting]],
  ["that was skipped", [submitted(), skipped()]],
])("S-23: a turn %s is not claimed", (_, story) => {
  given(...story)
    .when(take)
    .then("not-pending");
});
