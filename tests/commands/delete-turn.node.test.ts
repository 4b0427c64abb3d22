import { describe, test } from "vitest";
import { deleteTurn } from "../../src/commands/index.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import {
  aborted,
  at,
  claimed,
  completed,
  deleted,
  failed,
  keyBound,
  requeued,
  skipped,
  submitted,
  T1,
  TOMBSTONE,
} from "../support/facts.ts";

const { given } = specifyDecider({ decide: deleteTurn, state: (log) => log.turn(T1), stream: T1 });
const ended = [at(10, submitted({ idempotencyKey: "k" })), at(20, claimed()), at(30, completed())];

test("S-14: a terminal turn is deleted, and its key is free", () => {
  given(...ended)
    .when({ now: 40 })
    .then([deleted()]);
});

test("S-36: an active turn is not deleted", () => {
  given(submitted()).when({ now: 40 }).then("active");
  given(submitted(), claimed()).when({ now: 40 }).then("active");
  given(submitted(), claimed(), requeued()).when({ now: 40 }).then("active");
});

test("S-36: an unknown turn, or one deleted before, is not found", () => {
  given().when({ now: 40 }).then("not-found");
  given(...ended, deleted())
    .when({ now: 40 })
    .then("not-found");
  given(...ended, deleted({ tombstone: TOMBSTONE }))
    .when({ now: 40 })
    .then("not-found");
});

describe("FR-15: with retention the key goes on answering retries", () => {
  const tombstone = { ...TOMBSTONE, createdAt: 10, completedAt: 30 };

  test("for ever", () => {
    given(...ended)
      .when({ now: 40, idempotencyRetention: "forever" })
      .then([deleted({ tombstone })]);
  });

  test("for so many milliseconds", () => {
    given(...ended)
      .when({ now: 40, idempotencyRetention: 1000 })
      .then([deleted({ tombstone: { ...tombstone, expiresAt: 1040 } })]);
  });

  test("with the key that a retry bound", () => {
    given(at(10, submitted()), at(20, claimed()), keyBound(), at(30, completed()))
      .when({ now: 40, idempotencyRetention: "forever" })
      .then([deleted({ tombstone })]);
  });

  test.each([
    ["completed", completed()],
    ["error", failed()],
    ["aborted", aborted()],
    ["skipped", skipped()],
  ] as const)("with the outcome: %s", (status, end) => {
    given(at(10, submitted({ idempotencyKey: "k" })), at(30, end))
      .when({ now: 40, idempotencyRetention: "forever" })
      .then([deleted({ tombstone: { ...tombstone, status } })]);
  });

  test("but not when there was no key", () => {
    given(submitted(), claimed(), completed()).when({ now: 40, idempotencyRetention: "forever" }).then([deleted()]);
  });
});
