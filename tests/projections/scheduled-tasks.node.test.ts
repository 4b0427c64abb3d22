import { describe, test } from "vitest";
import { scheduledTaskReducer } from "../../src/projections/scheduled-tasks/reducer.ts";
import type { ScheduledTaskRow } from "../../src/projections/scheduled-tasks/row.ts";
import { specifyReducer } from "../../src/testing/specify-reducer.ts";
import * as facts from "../support/facts.ts";

const { at, D1, NINE, TEN, occurrenceDue, occurrenceFailed, occurrenceFired, occurrenceStarted } = facts;
const { taskDeclared, taskRejected, taskRemoved } = facts;
const { given } = specifyReducer({ reducer: scheduledTaskReducer, stream: D1 });

const declared: ScheduledTaskRow = {
  taskId: "digest",
  action: "prompt",
  schedule: "every 1 hour",
  timeZone: null,
  scheduleKey: "every 3600000",
  fingerprint: "as-first-written",
  anchor: NINE - 3_600_000,
  problem: null,
  next: null,
  starts: 0,
  lastSlot: null,
  lastAt: null,
  lastOutcome: null,
  lastError: null,
  lastSubmissionId: null,
};
const waiting = { ...declared, next: NINE };
const used = { ...declared, lastSlot: NINE, lastAt: NINE + 5, lastOutcome: "fired" } as const;

test("a task that is declared, and its slot", () => {
  given().when(taskDeclared()).then(declared);
  given(taskDeclared()).when(occurrenceDue()).then(waiting);
});

test("a changed declaration leaves the slot that waits", () => {
  given(taskDeclared(), occurrenceDue())
    .when(taskDeclared({ schedule: "every 60 minutes", timeZone: "UTC" }))
    .then({ ...waiting, schedule: "every 60 minutes", timeZone: "UTC" });
});

test("a handler that is called is counted, until its slot is used", () => {
  given(taskDeclared(), occurrenceDue())
    .when(occurrenceStarted({ start: 2 }))
    .then({ ...waiting, starts: 2 });
  given(taskDeclared(), occurrenceDue(), occurrenceStarted())
    .when(at(NINE + 5, occurrenceFired()))
    .then(used);
});

test("what became of the last slot, beside the next one", () => {
  given(taskDeclared(), occurrenceDue())
    .when(at(NINE + 5, occurrenceFired({ submissionId: "s1" })))
    .then({ ...used, lastSubmissionId: "s1" });
  given(taskDeclared(), occurrenceDue(), at(NINE + 5, occurrenceFired()))
    .when(occurrenceDue({ scheduledFor: TEN }))
    .then({ ...used, next: TEN });
  given(taskDeclared(), occurrenceDue())
    .when(at(NINE + 5, occurrenceFailed()))
    .then({ ...used, lastOutcome: "failed", lastError: "no network" });
});

test("a run that ends after its task was changed leaves the slot that waits now", () => {
  given(taskDeclared(), occurrenceDue(), occurrenceStarted(), occurrenceDue({ scheduledFor: TEN }))
    .when(at(NINE + 5, occurrenceFired()))
    .then({ ...used, next: TEN });
});

test("a task that cannot be used waits for nothing, and says why", () => {
  given()
    .when(taskRejected())
    .then({
      ...declared,
      action: null,
      schedule: null,
      scheduleKey: null,
      fingerprint: null,
      anchor: null,
      problem: "Duplicate schedule day",
    });
  given(taskDeclared(), occurrenceDue())
    .when(taskRejected())
    .then({ ...declared, problem: "Duplicate schedule day" });
  given(taskDeclared(), taskRejected()).when(taskDeclared()).then(declared);
});

test("a task that is removed leaves no row, whatever ends after it", () => {
  given(taskDeclared(), occurrenceDue()).when(taskRemoved()).then(null);
  given(taskDeclared(), occurrenceDue(), taskRemoved()).when(occurrenceFired()).then(null);
});

describe("all other events concern no task", () => {
  test.each([facts.occurrenceSkipped(), facts.submitted(), facts.workflowRequested(), facts.laneReset()])(
    "$type",
    (event) => {
      given(taskDeclared()).when(event).then(undefined);
    },
  );
});
