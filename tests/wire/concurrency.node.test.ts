import { describe, expect, test } from "vitest";
import { checkConcurrency, decideSubmit } from "../../src/wire/concurrency.ts";
import { expectInputError } from "../support/input-error.ts";

describe("messageConcurrency", () => {
  test("is queue when nothing is said", () => {
    expect(checkConcurrency(undefined)).toEqual({ kind: "queue" });
  });

  test.each(["queue", "latest", "merge", "drop"])("can be %s", (kind) => {
    expect(checkConcurrency(kind)).toEqual({ kind });
  });

  test.each([
    [100, 100],
    [0, 0],
    [undefined, 750],
    [-1, 750],
    [Number.NaN, 750],
    [Number.POSITIVE_INFINITY, 750],
    ["100", 750],
    [2 ** 40, 2 ** 31 - 1],
  ])("can be a debounce of %s, which waits %s ms", (debounceMs, waitMs) => {
    expect(checkConcurrency({ strategy: "debounce", debounceMs })).toEqual({ kind: "debounce", waitMs });
  });

  test("can be a debounce that says nothing of the wait", () => {
    expect(checkConcurrency({ strategy: "debounce" })).toEqual({ kind: "debounce", waitMs: 750 });
  });

  test.each([null, "", "first", "debounce", "constructor", {}, { strategy: "queue" }, [], 5])(
    "%j is no strategy",
    (value) => {
      expectInputError(() => checkConcurrency(value), "unknown-strategy", "messageConcurrency");
    },
  );
});

const strategies = ["queue", "latest", "merge", "drop", { strategy: "debounce" }] as const;

test.each(strategies)("M2: with %j a submit that overlaps nothing runs at once", (strategy) => {
  expect(decideSubmit(checkConcurrency(strategy), { overlapping: false })).toEqual({ kind: "run" });
});

test.each([
  ["M3", "queue", { kind: "run" }],
  ["M4", "latest", { kind: "supersede", waitMs: 0 }],
  ["M5", "merge", { kind: "supersede", waitMs: 0 }],
  ["M6", "drop", { kind: "drop" }],
  ["M7", { strategy: "debounce", debounceMs: 40 }, { kind: "supersede", waitMs: 40 }],
])("%s: with %j a submit that overlaps is decided as %j", (_, strategy, decision) => {
  expect(decideSubmit(checkConcurrency(strategy), { overlapping: true })).toEqual(decision);
});
