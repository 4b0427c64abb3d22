import { expect, test } from "vitest";
import { reconcile } from "../../src/effects/index.ts";

const wake = [{ kind: "arm-lane", when: "soon" }];

test("FR-07: a wake with a turn that has not ended arms the lane, whatever became of its alarm", () => {
  expect(reconcile({ laneOccupied: true, hookBehind: false, outboxOccupied: false })).toEqual(wake);
});

test("a wake whose status hook may have missed an event arms the lane once", () => {
  expect(reconcile({ laneOccupied: false, hookBehind: true, outboxOccupied: false })).toEqual(wake);
  expect(reconcile({ laneOccupied: true, hookBehind: true, outboxOccupied: false })).toEqual(wake);
});

test("an idle wake does nothing", () => {
  expect(reconcile({ laneOccupied: false, hookBehind: false, outboxOccupied: false })).toEqual([]);
});

test("a notification to deliver, now or later, is seen to", () => {
  expect(reconcile({ laneOccupied: false, hookBehind: false, outboxOccupied: true })).toEqual([
    { kind: "deliver-due" },
  ]);
});
