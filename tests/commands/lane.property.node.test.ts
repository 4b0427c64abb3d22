import * as fc from "fast-check";
import { expect, test } from "vitest";
import { catalogue } from "../../src/events/index.ts";
import { operations } from "../support/lane/operations.ts";
import { Run, type Seen } from "../support/lane/run.ts";

/** `PROPERTY_RUNS=20000 PROPERTY_SEED=7 vitest run --project node lane.property` looks further. */
const numRuns = Number(process.env["PROPERTY_RUNS"] ?? 400);
const seed = Number(process.env["PROPERTY_SEED"] ?? 20_261_130);

/** What came of what, over all runs. */
const seen: Seen = new Map();

test(
  "whatever callers, workers, crashes and the clock do, the lane does what the model says, and its log holds",
  { timeout: 600_000 },
  () => {
    fc.assert(
      fc.property(operations, (sequence) => new Run(seen).do(sequence)),
      { numRuns, seed },
    );
  },
);

const acts: Record<string, readonly string[]> = {
  submit: [
    "accepted",
    "conflict",
    "payload-mismatch",
    "known",
    "known, other messages",
    "kept",
    "kept, other messages",
  ],
  claim: ["claimed", "idle", "lane-busy", "stale-generation"],
  apply: ["done", "nothing", "not-running"],
  tool: ["done", "not-running"],
  step: ["done", "not-running"],
  settle: ["done", "not-running"],
  "late apply": ["done", "nothing", "not-running", "stale-epoch"],
  "late tool": ["done", "not-running", "stale-epoch"],
  "late step": ["done", "not-running", "stale-epoch"],
  "late settle": ["done", "not-running", "stale-epoch"],
  "late recover": ["done", "not-running", "stale-epoch"],
  "late link": ["done", "not-aborted", "already-linked", "stale-epoch"],
  recover: ["done"],
  cancel: ["done", "not-found", "already-terminal"],
  skip: ["done", "not-pending"],
  delete: ["done", "not-found", "active"],
  reset: ["done"],
  deliver: ["done", "settled"],
  "race of cancel with claim": ["done"],
  "race of cancel with settle": ["done"],
  "race of claim with cancel": ["done", "stale-generation"],
  "race of settle with cancel": ["done"],
};

/** Events that change nothing of a turn or the lane. */
const ELSEWHERE = ["ProjectionRebuilt", "ToolAnswered", "InteractionExpired"];
const isElsewhere = (type: string): boolean => ELSEWHERE.includes(type) || /^(Workflow|Task|Occurrence)/.test(type);

test("these sequences met every event and whatever can come of every act", () => {
  const everything = [
    ...Object.keys(catalogue).filter((type) => !isElsewhere(type)),
    ...Object.entries(acts).flatMap(([act, words]) => words.map((word) => `${act}: ${word}`)),
  ];
  expect([...seen.keys()].toSorted()).toEqual(everything.toSorted());
});
