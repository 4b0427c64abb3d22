import { describe, test } from "vitest";
import { tombstoneReducer } from "../../src/projections/tombstones/reducer.ts";
import { specifyReducer } from "../../src/testing/specify-reducer.ts";
import * as facts from "../support/facts.ts";

const { completed, deleted, on, submitted, T1, T2, TOMBSTONE, tombstoneExpired } = facts;
const { given } = specifyReducer({ reducer: tombstoneReducer, stream: T1 });
const kept = deleted({ tombstone: TOMBSTONE });

test("FR-15: a deletion that keeps the key leaves a tombstone that names where the outcome is", () => {
  given(submitted(), completed()).when(kept).then({ idempotencyKey: "k", stream: T1 });
});

test("a deletion that frees the key leaves none", () => {
  given(submitted(), completed()).when(deleted()).then(undefined);
});

test("an expired tombstone is gone", () => {
  given(submitted(), completed(), kept).when(tombstoneExpired()).then(null);
});

test("a key that was free again and is kept again names the newer stream", () => {
  given(submitted(), completed(), kept, tombstoneExpired(), on(T2, submitted({ turnId: "t2" })), on(T2, completed()))
    .when(on(T2, deleted({ tombstone: { ...TOMBSTONE, submissionId: "t2" } })))
    .then({ idempotencyKey: "k", stream: T2 });
});

describe("all other events concern no tombstone", () => {
  test.each([
    submitted({ idempotencyKey: "k" }),
    facts.claimed(),
    facts.applied(),
    facts.toolStarted(),
    facts.stepFinished(),
    facts.interrupted(),
    facts.requeued(),
    completed(),
    facts.failed(),
    facts.aborted(),
    facts.skipped(),
    facts.linked(),
    facts.keyBound(),
    facts.mismatched(),
    facts.queued(),
    facts.delivered(),
    facts.deliveryFailed(),
    facts.parked(),
    facts.workflowRequested(),
    facts.workflowStarted(),
    facts.workflowStartUnclear(),
    facts.workflowRequestFailed(),
    facts.workflowReported(),
    facts.laneReset(),
    facts.rebuilt(),
  ])("$type", (event) => {
    given(submitted(), completed(), kept).when(event).then(undefined);
  });
});
