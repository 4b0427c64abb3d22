import { describe, expect, test } from "vitest";
import { checkAuditOptions } from "../../src/input/audit.ts";
import { checkDeletion } from "../../src/input/deletion.ts";
import { checkLimit, checkStatuses, STATUSES, TERMINAL_STATUSES } from "../../src/input/filters.ts";
import { checkRetention } from "../../src/input/retention.ts";
import { checkTimeout } from "../../src/input/timeout.ts";
import { expectInputError } from "../support/input-error.ts";

describe("status", () => {
  test("S-35: one, several, the same twice, none, or all", () => {
    expect(checkStatuses("pending")).toEqual(["pending"]);
    expect(checkStatuses(["error", "pending", "error"])).toEqual(["error", "pending"]);
    expect(checkStatuses([])).toEqual([]);
    expect(checkStatuses(undefined)).toBeUndefined();
    expect(checkStatuses([...STATUSES])).toEqual(STATUSES);
  });

  test("FR-41: 150 values in one filter are as good as one", () => {
    expect(checkStatuses(Array.from({ length: 150 }, () => "pending"))).toEqual(["pending"]);
  });

  const circular: unknown[] = [];
  circular.push(circular);
  test.each(["done", "", null, 5, {}, 1n, Symbol("s"), ["pending", "done"], [undefined], [null], circular])(
    "%o is refused",
    (status) => {
      expectInputError(() => checkStatuses(status), "invalid-status", "status");
    },
  );

  test("the text names the value, but does not repeat a long one", () => {
    expect(() => checkStatuses("done")).toThrow('status "done" is not one of pending, running,');
    expect(() => checkStatuses("x".repeat(10_000))).toThrow(/^.{1,200}$/);
  });
});

describe("limit", () => {
  test.each([
    [undefined, 50],
    [1, 1],
    [100, 100],
    [101, 100],
    [0, 1],
    [-5, 1],
    [7.9, 7],
    [Number.POSITIVE_INFINITY, 100],
    [Number.NEGATIVE_INFINITY, 1],
  ])("S-35: %o becomes %i", (limit, expected) => {
    expect(checkLimit(limit, 50, 100)).toBe(expected);
  });

  test.each([Number.NaN, "10", null, {}, 10n])("%o is refused", (limit) => {
    expectInputError(() => checkLimit(limit, 50, 100), "not-a-number", "limit");
  });
});

describe("S-37: a bulk deletion", () => {
  test("takes all that ended, at any time, 100 at most, unless told", () => {
    const all = { statuses: TERMINAL_STATUSES, before: Number.MAX_SAFE_INTEGER, limit: 100 };
    for (const options of [undefined, null, {}]) expect(checkDeletion(options)).toEqual(all);
  });

  test("takes what it is told", () => {
    expect(checkDeletion({ status: ["error", "aborted"], completedBefore: new Date(5), limit: 900 })).toEqual({
      statuses: ["aborted", "error"],
      before: 5,
      limit: 500,
    });
  });

  test("K-26: statuses of living submissions match nothing", () => {
    expect(checkDeletion({ status: ["pending", "error", "running"] }).statuses).toEqual(["error"]);
    expect(checkDeletion({ status: "running" }).statuses).toEqual([]);
    expect(checkDeletion({ status: [] }).statuses).toEqual([]);
  });

  test.each([
    [{ status: "done" }, "invalid-status", "status"],
    [{ completedBefore: 5 }, "invalid-date", "completedBefore"],
    [{ completedBefore: "2026-01-01" }, "invalid-date", "completedBefore"],
    [{ completedBefore: null }, "invalid-date", "completedBefore"],
    [{ completedBefore: new Date("never") }, "invalid-date", "completedBefore"],
    [{ limit: "all" }, "not-a-number", "limit"],
  ])("%o is refused", (options, code, field) => {
    expectInputError(() => checkDeletion(options as never), code, field);
  });
});

describe("S-39: timeoutMs", () => {
  test("may be absent or infinite: for as long as it takes", () => {
    expect(checkTimeout(undefined)).toBeUndefined();
    expect(checkTimeout(Number.POSITIVE_INFINITY)).toBeUndefined();
    expect(checkTimeout(0)).toBe(0);
    expect(checkTimeout(1.5)).toBe(1.5);
  });

  test.each([-1, Number.NaN, Number.NEGATIVE_INFINITY, "5", null, 5n])("%o is refused", (timeoutMs) => {
    expectInputError(() => checkTimeout(timeoutMs), "invalid-timeout", "timeoutMs");
  });
});

describe("an audit query", () => {
  test("is the first page of the whole log, oldest first, unless told", () => {
    const page = {
      submissionId: undefined,
      types: undefined,
      afterPosition: 0,
      order: "asc",
      limit: 100,
      cursor: undefined,
    };
    for (const options of [undefined, null, {}]) expect(checkAuditOptions(options)).toEqual(page);
  });

  test("takes what it is told", () => {
    const told = {
      submissionId: "s1",
      types: ["TurnClaimed", "turn.future"],
      afterPosition: 7,
      order: "desc",
      limit: 9999,
      cursor: "c",
    } as const;
    expect(checkAuditOptions({ ...told, types: [...told.types] })).toEqual({
      ...told,
      types: new Set(told.types),
      limit: 500,
    });
  });

  test.each([
    [{ submissionId: " " }, "blank", "submissionId"],
    [{ submissionId: 5 }, "not-a-string", "submissionId"],
    [{ types: "TurnClaimed" }, "not-an-array", "types"],
    [{ types: ["TurnClaimed", 5] }, "not-an-array", "types"],
    [{ afterPosition: -1 }, "invalid-position", "afterPosition"],
    [{ afterPosition: 1.5 }, "invalid-position", "afterPosition"],
    [{ afterPosition: "7" }, "invalid-position", "afterPosition"],
    [{ afterPosition: Number.MAX_SAFE_INTEGER + 1 }, "invalid-position", "afterPosition"],
    [{ order: "newest" }, "invalid-order", "order"],
    [{ order: null }, "invalid-order", "order"],
    [{ limit: Number.NaN }, "not-a-number", "limit"],
    [{ cursor: "" }, "blank", "cursor"],
    [{ cursor: {} }, "not-a-string", "cursor"],
  ])("%o is refused", (options, code, field) => {
    expectInputError(() => checkAuditOptions(options as never), code, field);
  });
});

describe("FR-15: a retention", () => {
  test.each([undefined, "forever", 0, 1, 86_400_000, 1e14])("%o is one", (retention) => {
    expect(checkRetention(retention)).toBe(retention);
  });

  test.each([0.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, 1e14 + 1, "soon", "", null, 10n, {}])(
    "%o is refused",
    (retention) => {
      expectInputError(() => checkRetention(retention), "invalid-retention", "idempotencyRetention");
    },
  );
});
