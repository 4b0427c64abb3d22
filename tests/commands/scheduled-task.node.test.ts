import { describe, test } from "vitest";
import { declareTask, rejectTask, removeTask, type ScheduledTaskState } from "../../src/commands/index.ts";
import type { MemoryLog } from "../../src/testing/memory-log.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import {
  D1,
  NINE,
  occurrenceDue,
  occurrenceFired,
  taskDeclared,
  taskRejected,
  taskRemoved,
  TEN,
} from "../support/facts.ts";

const HOUR = 3_600_000;
const state = (log: MemoryLog): ScheduledTaskState => ({
  version: log.stream(D1)?.version ?? 0,
  task: log.projections.scheduledTasks.load("digest"),
});
const specify = { state, stream: D1 };

/** The hourly task, as it is declared at half past eight. */
const now = NINE - HOUR / 2;
const { anchor, ...task } = taskDeclared().data;
const nextSlot = (from: number): number => from + (Math.floor((now - from) / HOUR) + 1) * HOUR;
const declared = { task, now, nextSlot };

describe("a declaration", () => {
  const { given } = specifyDecider({ ...specify, decide: declareTask });
  const seen = taskDeclared({ anchor });

  test("C-20: of a new task is on record, and its first slot is one interval from now", () => {
    given()
      .when(declared)
      .then([taskDeclared({ anchor: now }), occurrenceDue({ scheduledFor: now + HOUR })]);
  });

  test("FR-71: that says what it said before adds nothing", () => {
    given(seen, occurrenceDue()).when(declared).then([]);
  });

  test("C-20: of another prompt keeps the slot that waits", () => {
    const edited = { ...task, fingerprint: "edited" };
    given(seen, occurrenceDue())
      .when({ ...declared, task: edited })
      .then([taskDeclared({ ...edited, anchor })]);
  });

  test("a cosmetic edit keeps the phase", () => {
    const edited = { ...task, schedule: "every 60 minutes", fingerprint: "edited" };
    given(seen, occurrenceDue())
      .when({ ...declared, task: edited })
      .then([taskDeclared({ ...edited, anchor })]);
  });

  test("C-20, C-21: of another schedule counts from now", () => {
    const edited = { ...task, schedule: "every 2 hours", scheduleKey: "every 7200000", fingerprint: "edited" };
    given(seen, occurrenceDue())
      .when({ ...declared, task: edited, nextSlot: (from) => from + 2 * HOUR })
      .then([taskDeclared({ ...edited, anchor: now }), occurrenceDue({ scheduledFor: now + 2 * HOUR })]);
  });

  test("of a task without a slot that waits gives it one, in its phase", () => {
    given(seen).when(declared).then([occurrenceDue()]);
  });

  test("of a task that could not be used gives it its slot back, in its phase", () => {
    given(seen, occurrenceDue(), taskRejected())
      .when(declared)
      .then([taskDeclared({ anchor }), occurrenceDue()]);
  });

  test("of one that was removed begins anew", () => {
    given(seen, occurrenceDue(), taskRemoved({ pending: NINE }))
      .when(declared)
      .then([taskDeclared({ anchor: now }), occurrenceDue({ scheduledFor: now + HOUR })]);
  });

  test("that has no slot before dates end is on record all the same", () => {
    given()
      .when({ ...declared, nextSlot: () => undefined })
      .then([taskDeclared({ anchor: now })]);
  });
});

describe("a declaration that cannot be used", () => {
  const { given } = specifyDecider({ ...specify, decide: rejectTask });

  test("is on record, once for each fault", () => {
    given().when(taskRejected().data).then([taskRejected()]);
    given(taskDeclared(), occurrenceDue()).when(taskRejected().data).then([taskRejected()]);
    given(taskRejected()).when(taskRejected().data).then([]);
    given(taskRejected())
      .when({ taskId: "digest", error: "another" })
      .then([taskRejected({ error: "another" })]);
  });
});

describe("a task that is not declared any more", () => {
  const { given } = specifyDecider({ ...specify, decide: removeTask });
  const gone = { taskId: "digest" };

  test("is removed, and its slot with it", () => {
    given(taskDeclared(), occurrenceDue())
      .when(gone)
      .then([taskRemoved({ pending: NINE })]);
    given(taskDeclared(), occurrenceDue(), occurrenceFired(), occurrenceDue({ scheduledFor: TEN }))
      .when(gone)
      .then([taskRemoved({ pending: TEN })]);
  });

  test("is removed once", () => {
    given().when(gone).then([]);
    given(taskDeclared(), taskRemoved()).when(gone).then([]);
  });
});
