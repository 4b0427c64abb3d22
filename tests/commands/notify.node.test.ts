import { describe, test } from "vitest";
import { type NotificationState, recordDelivery } from "../../src/commands/index.ts";
import type { MemoryLog } from "../../src/testing/memory-log.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import { aborted, at, delivered, deliveryFailed, parked, queued, submitted, T1 } from "../support/facts.ts";

const HOUR = 3_600_000;

const { given } = specifyDecider({ decide: recordDelivery, state: notification, stream: T1 });
const waiting = [submitted(), aborted(), queued()];
const transient = { kind: "transient", error: "unreachable" } as const;

test("a delivery is recorded with its attempt", () => {
  given(...waiting)
    .when({ result: { kind: "delivered" }, now: 0 })
    .then([delivered()]);
  given(...waiting, deliveryFailed())
    .when({ result: { kind: "delivered" }, now: 0 })
    .then([delivered({ attempt: 2 })]);
});

describe("FR-24: every due notification has its own back-off", () => {
  test.each([
    [1, 2],
    [2, 4],
    [3, 8],
    [9, 512],
    [10, 600],
    [50, 600],
  ])("after failure %i the next try is %i s later", (attempt, seconds) => {
    const before = attempt === 1 ? [] : [deliveryFailed({ attempt: attempt - 1 })];
    given(...waiting, ...before)
      .when({ result: transient, now: 5000 })
      .then([deliveryFailed({ attempt, retryAt: 5000 + seconds * 1000 })]);
  });

  test("12 hours after its first failure it is parked with the last error", () => {
    given(...waiting, at(1000, deliveryFailed()), at(2000, deliveryFailed({ attempt: 2 })))
      .when({ result: transient, now: 1000 + 12 * HOUR })
      .then([parked({ attempts: 3, reason: "Not delivered within 12 hours; the last error was: unreachable" })]);
  });

  test("until then it is tried, however often it failed", () => {
    given(...waiting, at(1000, deliveryFailed({ attempt: 99 })))
      .when({ result: transient, now: 1000 + 12 * HOUR - 1 })
      .then([deliveryFailed({ attempt: 100, retryAt: 1000 + 12 * HOUR - 1 + 600_000 })]);
  });

  test("a clock that steps back only makes it try longer", () => {
    given(...waiting, at(50_000, deliveryFailed()))
      .when({ result: transient, now: 10_000 })
      .then([deliveryFailed({ attempt: 2, retryAt: 14_000 })]);
  });
});

test("what can never be delivered is parked at once, with the reason", () => {
  given(...waiting)
    .when({ result: { kind: "permanent", reason: "instance gone" }, now: 0 })
    .then([parked()]);
});

test.each([
  ["delivered", delivered()],
  ["parked", parked()],
])("a notification that is %s is settled", (_, end) => {
  given(...waiting, end)
    .when({ result: { kind: "delivered" }, now: 0 })
    .then("settled");
});

function notification(log: MemoryLog): NotificationState {
  return { stream: T1, version: log.stream(T1)?.version ?? 0, due: log.projections.outbox.load("t1/1") };
}
