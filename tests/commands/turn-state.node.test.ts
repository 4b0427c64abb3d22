import { describe, expect, test } from "vitest";
import { type Turn, type TurnState } from "../../src/commands/index.ts";
import { catalogue } from "../../src/events/index.ts";
import { tell, type Told } from "../../src/testing/specify-decider.ts";
import {
  aborted,
  applied,
  at,
  claimed,
  completed,
  deleted,
  delivered,
  deliveryFailed,
  failed,
  interactionExpired,
  interrupted,
  keyBound,
  laneReset,
  linked,
  mismatched,
  parked,
  queued,
  rebuilt,
  requeued,
  skipped,
  stepFinished,
  submitted,
  T1,
  TOMBSTONE,
  tombstoneExpired,
  toolAnswered,
  toolStarted,
  workflowReported,
  workflowRequested,
  workflowRequestFailed,
  workflowStarted,
  workflowStartUnclear,
  taskDeclared,
  taskRejected,
  taskRemoved,
  occurrenceDue,
  occurrenceStarted,
  occurrenceFired,
  occurrenceFailed,
  occurrenceSkipped,
} from "../support/facts.ts";

const fold = (...story: Told[]): TurnState => tell(story, T1).turn(T1);
const turnAfter = (...story: Told[]): Turn => {
  const { turn } = fold(...story);
  if (!turn) throw new Error("The story ends without a turn");
  return turn;
};

const pending: Turn = {
  submitted: submitted().data,
  ordinal: 1,
  createdAt: 10,
  status: "pending",
  attempts: 0,
  epoch: 0,
  applied: false,
  toolsStarted: false,
};
const first = at(10, submitted());
const running = { ...pending, status: "running", attempts: 1, epoch: 1, startedAt: 20 };
const start = at(20, claimed());

describe("what the deciders know of a turn after", () => {
  test.each<[string, Told[], object]>([
    ["its acceptance", [first], pending],
    [
      "its acceptance with a key",
      [at(10, submitted({ idempotencyKey: "k" }))],
      {
        ...pending,
        submitted: submitted({ idempotencyKey: "k" }).data,
        idempotencyKey: "k",
      },
    ],
    ["a claim", [first, start], running],
    ["its messages", [first, start, applied()], { ...running, applied: true }],
    ["a tool call", [first, start, toolStarted()], { ...running, toolsStarted: true }],
    ["a step", [first, start, stepFinished({ step: 2 })], running],
    ["an interruption", [first, start, interrupted()], running],
    [
      "a requeue: no start, but its attempt and epoch",
      [first, start, requeued()],
      { ...pending, attempts: 1, epoch: 1 },
    ],
    [
      "a second claim",
      [first, start, requeued(), at(30, claimed({ attempt: 2, epoch: 2 }))],
      {
        ...running,
        attempts: 2,
        epoch: 2,
        startedAt: 30,
      },
    ],
    [
      "its completion",
      [first, start, at(40, completed({ messageId: "a1" }))],
      {
        ...running,
        status: "completed",
        completedAt: 40,
        messageId: "a1",
      },
    ],
    ["its failure", [first, start, at(40, failed())], { ...running, status: "error", completedAt: 40, error: "boom" }],
    [
      "a cancel",
      [first, at(40, aborted({ error: "stop" }))],
      {
        ...pending,
        status: "aborted",
        completedAt: 40,
        error: "stop",
      },
    ],
    ["a cancel without a reason", [first, at(40, aborted())], { ...pending, status: "aborted", completedAt: 40 }],
    [
      "a skip",
      [first, at(40, skipped({ error: "reset" }))],
      {
        ...pending,
        status: "skipped",
        completedAt: 40,
        error: "reset",
      },
    ],
    [
      "a late message",
      [first, start, at(40, aborted()), linked()],
      {
        ...running,
        status: "aborted",
        completedAt: 40,
        messageId: "a1",
      },
    ],
    ["a bound key", [first, keyBound()], { ...pending, idempotencyKey: "k" }],
  ])("%s", (_, story, turn) => {
    expect(fold(...story)).toEqual({ stream: T1, version: story.length, turn });
  });

  test("events that change nothing for the deciders only count", () => {
    const workflows = [
      workflowRequested(),
      workflowStarted(),
      workflowStartUnclear(),
      workflowRequestFailed(),
      workflowReported(),
    ];
    const outbox = [queued(), delivered(), deliveryFailed(), parked()];
    for (const event of [interrupted(), laneReset(), ...outbox, ...workflows, rebuilt()]) {
      expect(fold(first, event)).toEqual({ stream: T1, version: 2, turn: pending });
    }
  });

  test("a retry with other messages: it is on record, until the stream's next life", () => {
    expect(fold(first, mismatched())).toEqual({ stream: T1, version: 2, turn: pending, mismatched: true });
    const kept = [first, mismatched(), aborted(), deleted({ tombstone: TOMBSTONE })];
    expect(fold(...kept)).toMatchObject({ mismatched: true });
    expect(fold(...kept, tombstoneExpired())).toEqual({ stream: T1, version: 5 });
    expect(fold(first, mismatched(), aborted(), deleted(), submitted())).not.toHaveProperty("mismatched");
  });

  test("a deletion: there is no turn", () => {
    expect(fold(first, aborted(), deleted())).toEqual({ stream: T1, version: 3 });
  });

  test("a deletion that keeps the key: there is a tombstone, until it is over or the id is used again", () => {
    const kept = [first, aborted(), deleted({ tombstone: TOMBSTONE })];
    expect(fold(...kept)).toEqual({ stream: T1, version: 3, tombstone: TOMBSTONE });
    expect(fold(...kept, mismatched())).toMatchObject({ tombstone: TOMBSTONE, mismatched: true });
    expect(fold(...kept, tombstoneExpired())).toEqual({ stream: T1, version: 4 });
    expect(turnAfter(...kept, tombstoneExpired(), at(90, submitted()))).toEqual({
      ...pending,
      ordinal: 5,
      createdAt: 90,
    });
  });

  test("a stray event of a turn that is not there: still no turn", () => {
    expect(fold(claimed(), completed(), keyBound(), requeued())).toEqual({ stream: T1, version: 4 });
  });
});

test("every event of the catalogue is told in these stories or has no meaning for a turn", () => {
  const told = [
    submitted,
    claimed,
    applied,
    toolStarted,
    stepFinished,
    interrupted,
    requeued,
    completed,
    failed,
    aborted,
  ];
  const also = [
    toolAnswered,
    interactionExpired,
    skipped,
    linked,
    keyBound,
    mismatched,
    deleted,
    tombstoneExpired,
    laneReset,
    queued,
    delivered,
  ];
  const workflows = [workflowRequested, workflowStarted, workflowStartUnclear, workflowRequestFailed, workflowReported];
  const tasks = [
    taskDeclared,
    taskRejected,
    taskRemoved,
    occurrenceDue,
    occurrenceStarted,
    occurrenceFired,
    occurrenceFailed,
    occurrenceSkipped,
  ];
  const types = [...told, ...also, ...workflows, ...tasks, deliveryFailed, parked, rebuilt].map((make) => make().type);
  expect(types.toSorted()).toEqual(Object.keys(catalogue).toSorted());
});
