import * as fc from "fast-check";

export const STATUSES = ["completed", "error", "aborted", "skipped"] as const;
export type Ended = (typeof STATUSES)[number];

export type Submission = {
  /** Chosen by the caller, or generated. */
  readonly id: string;
  readonly idGiven: boolean;
  readonly key: string | undefined;
  /** Which messages; a function makes them later when absent. */
  readonly payload: string | undefined;
  readonly strict: boolean;
  /** Its caller waits for the end: it has a place in the lane, but none in the ledger. */
  readonly blocking: boolean;
  readonly workflow: boolean;
  /** Accepted for the generation before: a reset came between the request and its record. */
  readonly late: boolean;
};

export type Retention = "forever" | number | undefined;
export type Delivery = "delivered" | "transient" | "permanent";

/**
 * What callers, a worker and the world do. Numbers pick one of the ids, claims or notifications there are by
 * then; operations of the worker are by the claim that it holds in memory, which a crash takes from it.
 */
export type Operation =
  | ({ readonly op: "submit" } & Omit<Submission, "id" | "idGiven" | "blocking"> & { readonly id: string | undefined })
  | { readonly op: "claim" | "apply" | "tool" | "step" | "crash" | "wake" | "crashLoop" | "reset" }
  | { readonly op: "settle"; readonly status: Ended }
  | { readonly op: "late"; readonly claim: number; readonly act: LateAct; readonly status: Ended }
  | { readonly op: "cancel"; readonly target: number; readonly reason: string | undefined }
  | { readonly op: "skip"; readonly target: number }
  | { readonly op: "delete"; readonly target: number; readonly retention: Retention }
  | { readonly op: "race"; readonly against: "settle" | "claim"; readonly cancelFirst: boolean }
  | { readonly op: "deliver"; readonly target: number; readonly result: Delivery }
  | { readonly op: "time"; readonly ms: number };

/** What a worker may still try whose claim is lost, and a recovery that read the queue too early. */
export type LateAct = "apply" | "tool" | "step" | "settle" | "link" | "recover";

/** Small ones are likely: acts meet each other on few targets. */
const pick = fc.oneof(fc.constant(0), fc.constant(0), fc.nat({ max: 3 }), fc.nat({ max: 40 }));
const status = fc.constantFrom(...STATUSES);
const act = fc.constantFrom<LateAct[]>("apply", "tool", "step", "settle", "link", "recover");

const submit = fc.record({
  op: fc.constant("submit" as const),
  id: fc.option(fc.constantFrom("a", "a", "b"), { nil: undefined, freq: 3 }),
  key: fc.option(fc.constantFrom("k1", "k2"), { nil: undefined, freq: 2 }),
  payload: fc.constantFrom("hello", "hello", "hello", "other", undefined),
  strict: fc.nat({ max: 5 }).map((n) => n === 0),
  workflow: fc.boolean(),
  late: fc.nat({ max: 5 }).map((n) => n === 0),
});

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: submit },
  { weight: 5, arbitrary: fc.record({ op: fc.constantFrom("claim" as const, "claim" as const, "wake" as const) }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constantFrom("apply" as const, "tool" as const, "step" as const) }) },
  { weight: 5, arbitrary: fc.record({ op: fc.constant("settle" as const), status }) },
  { weight: 8, arbitrary: fc.record({ op: fc.constant("late" as const), claim: pick, act, status }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("crash" as const) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom("reset" as const, "crashLoop" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant("cancel" as const),
      target: pick,
      reason: fc.constantFrom("stop", undefined),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("skip" as const), target: pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant("delete" as const),
      target: pick,
      retention: fc.constantFrom<Retention[]>(undefined, "forever", 1000, 1000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant("race" as const),
      against: fc.constantFrom("settle" as const, "claim" as const),
      cancelFirst: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant("deliver" as const),
      target: pick,
      result: fc.constantFrom<Delivery[]>("delivered", "transient", "transient", "permanent"),
    }),
  },
  // Standing still is what it does unless told: forwards, a long way forwards, backwards.
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant("time" as const), ms: fc.constantFrom(1, 700, 43_200_000, -1, -900) }),
  },
);

/** Turns of life that single operations find too seldom: another attempt, and another life of an id. */
const anotherAttempt: fc.Arbitrary<Operation[]> = submit.map((first) => [
  first,
  { op: "claim" },
  { op: "crash" },
  { op: "wake" },
  { op: "claim" },
]);
const anotherLife: fc.Arbitrary<Operation[]> = fc
  .tuple(submit, fc.nat({ max: 1 }), fc.constantFrom<Retention[]>(undefined, 1000))
  .map(([again, target, retention]) => [
    { op: "claim" },
    { op: "cancel", target, reason: "stop" },
    { op: "delete", target, retention },
    { op: "time", ms: 1000 },
    { ...again, id: target === 0 ? "a" : "b" },
    { op: "claim" },
  ]);

const chunk: fc.Arbitrary<Operation[]> = fc.oneof(
  { weight: 16, arbitrary: operation.map((one) => [one]) },
  { weight: 1, arbitrary: anotherAttempt },
  { weight: 1, arbitrary: anotherLife },
);

export const operations: fc.Arbitrary<Operation[]> = fc
  .array(chunk, { minLength: 1, maxLength: 60, size: "max" })
  .map((chunks) => chunks.flat());
