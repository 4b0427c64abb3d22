import { describe, test } from "vitest";
import { endHandler, endOccurrence, type ScheduledTaskState, startOccurrence } from "../../src/commands/index.ts";
import type { MemoryLog } from "../../src/testing/memory-log.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import {
  D1,
  NINE,
  occurrenceDue,
  occurrenceFailed,
  occurrenceFired,
  occurrenceSkipped,
  occurrenceStarted,
  taskDeclared,
  taskRejected,
  taskRemoved,
  TEN,
} from "../support/facts.ts";

const state = (log: MemoryLog): ScheduledTaskState => ({
  version: log.stream(D1)?.version ?? 0,
  task: log.projections.scheduledTasks.load("digest"),
});
const specify = { state, stream: D1 };
const slot = { taskId: "digest", scheduledFor: NINE };
const waiting = [taskDeclared(), occurrenceDue()];
const ten = occurrenceDue({ scheduledFor: TEN });
const after = { next: TEN, missed: undefined };
const fired = { ...slot, outcome: { status: "fired", attempts: 1 }, after } as const;

describe("a slot that is used", () => {
  const { given } = specifyDecider({ ...specify, decide: endOccurrence });

  test("C-26: is on record, and the next one waits", () => {
    given(...waiting)
      .when(fired)
      .then([occurrenceFired(), ten]);
  });

  test("C-26: also when it failed", () => {
    given(...waiting)
      .when({ ...slot, outcome: { status: "failed", attempts: 3, error: "no network" }, after })
      .then([occurrenceFailed(), ten]);
  });

  test("C-28: slots that went by meanwhile are one record with their count", () => {
    const missed = { first: TEN, last: TEN + 9 * 3_600_000, count: 10 };
    given(...waiting)
      .when({ ...fired, after: { next: missed.last + 3_600_000, missed } })
      .then([occurrenceFired(), occurrenceSkipped(missed), occurrenceDue({ scheduledFor: missed.last + 3_600_000 })]);
  });

  test("is the last one when there is no next", () => {
    given(...waiting)
      .when({ ...fired, after: { next: undefined, missed: undefined } })
      .then([occurrenceFired()]);
  });

  test("C-25: is used once", () => {
    given(...waiting, occurrenceFired(), ten)
      .when(fired)
      .then("not-due");
  });

  test("C-25: is not used when its task was changed, rejected or removed, or never was", () => {
    given(...waiting, taskDeclared({ scheduleKey: "every 7200000" }), ten)
      .when(fired)
      .then("not-due");
    given(...waiting, taskRejected())
      .when(fired)
      .then("not-due");
    given(...waiting, taskRemoved())
      .when(fired)
      .then("not-due");
    given().when(fired).then("not-due");
  });
});

describe("a handler", () => {
  const start = specifyDecider({ ...specify, decide: startOccurrence });
  const end = specifyDecider({ ...specify, decide: endHandler });

  test("is on record before it is called, each time", () => {
    start
      .given(...waiting)
      .when(slot)
      .then([occurrenceStarted()]);
    start
      .given(...waiting, occurrenceStarted())
      .when(slot)
      .then([occurrenceStarted({ start: 2 })]);
    start
      .given(...waiting, occurrenceStarted(), occurrenceFired(), ten)
      .when({ ...slot, scheduledFor: TEN })
      .then([occurrenceStarted({ scheduledFor: TEN, start: 1 })]);
  });

  test("is not called for a slot that does not wait", () => {
    start
      .given(...waiting, occurrenceFired(), ten)
      .when(slot)
      .then("not-due");
  });

  test("that ran is on record although its task was changed or removed meanwhile", () => {
    end
      .given(...waiting, occurrenceStarted())
      .when(fired)
      .then([occurrenceFired(), ten]);
    end
      .given(...waiting, occurrenceStarted(), taskDeclared({ scheduleKey: "every 7200000" }), ten)
      .when(fired)
      .then([occurrenceFired()]);
    end
      .given(...waiting, occurrenceStarted(), taskRemoved())
      .when(fired)
      .then([occurrenceFired()]);
  });
});
