import { expect, test } from "vitest";
import { reconcile } from "../../src/effects/index.ts";

const wake = [{ kind: "arm-lane", when: "soon" }];

test("FR-07: a wake with a turn that has not ended arms the lane, whatever became of its alarm", () => {
  expect(reconcile({ laneOccupied: true, hookBehind: false, workflowsOpen: false, outboxOccupied: false })).toEqual(
    wake,
  );
});

test("a wake whose status hook may have missed an event arms the lane once", () => {
  expect(reconcile({ laneOccupied: false, hookBehind: true, workflowsOpen: false, outboxOccupied: false })).toEqual(
    wake,
  );
  expect(reconcile({ laneOccupied: true, hookBehind: true, workflowsOpen: false, outboxOccupied: false })).toEqual(
    wake,
  );
});

test("an idle wake does nothing", () => {
  expect(reconcile({ laneOccupied: false, hookBehind: false, workflowsOpen: false, outboxOccupied: false })).toEqual(
    [],
  );
});

test("FR-27: a wake with a workflow that was asked for, but not started, has it started by the alarm", () => {
  const start = { kind: "arm-workflows", when: "soon" };
  expect(reconcile({ laneOccupied: false, hookBehind: false, workflowsOpen: true, outboxOccupied: false })).toEqual([
    start,
  ]);
  expect(reconcile({ laneOccupied: true, hookBehind: false, workflowsOpen: true, outboxOccupied: false })).toEqual([
    ...wake,
    start,
  ]);
});

test("a notification to deliver, now or later, is seen to", () => {
  const view = { laneOccupied: false, hookBehind: false, workflowsOpen: false, outboxOccupied: true };
  expect(reconcile(view)).toEqual([{ kind: "deliver-due" }]);
});
