import { describe, test } from "vitest";
import { settle } from "../../src/commands/index.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import {
  aborted,
  applied,
  at,
  claimed,
  completed,
  failed,
  interrupted,
  origin,
  queued,
  requeued,
  skipped,
  stepFinished,
  submitted,
  T1,
} from "../support/facts.ts";

const { given } = specifyDecider({ decide: settle, state: (log) => log.turn(T1), stream: T1 });
const running = [submitted(), at(70, claimed()), applied()];
const ended = { epoch: 1, startedAt: 70 };

describe("each outcome is one terminal event that says when the turn started", () => {
  test("completed, with its output and its message", () => {
    given(...running)
      .when({ epoch: 1, outcome: { status: "completed", output: "digest-out" }, messageId: "a1" })
      .then([completed({ ...ended, output: "digest-out", messageId: "a1" })]);
  });

  test("S-20: completed with nothing stored names no message", () => {
    given(...running)
      .when({ epoch: 1, outcome: { status: "completed" } })
      .then([completed(ended)]);
  });

  test("failed, with the reason and the partial message", () => {
    given(...running)
      .when({ epoch: 1, outcome: { status: "error", error: "provider down" }, messageId: "a1" })
      .then([failed({ ...ended, error: "provider down", messageId: "a1" })]);
  });

  test("aborted, saying whether its messages had been applied", () => {
    given(...running)
      .when({ epoch: 1, outcome: { status: "aborted", error: "stop" } })
      .then([aborted({ ...ended, error: "stop", messagesApplied: true })]);
    given(submitted(), at(70, claimed()))
      .when({ epoch: 1, outcome: { status: "aborted" } })
      .then([aborted({ ...ended, messagesApplied: false })]);
  });

  test("skipped, with the reason", () => {
    given(...running)
      .when({ epoch: 1, outcome: { status: "skipped", error: "superseded" } })
      .then([skipped({ ...ended, error: "superseded" })]);
  });
});

test("steps not on record yet come before the end, in the same commit", () => {
  given(...running)
    .when({ epoch: 1, outcome: { status: "completed" }, steps: [stepFinished().data, stepFinished({ step: 1 }).data] })
    .then([stepFinished(), stepFinished({ step: 1 }), completed(ended)]);
});

test("S-27, FR-02: a turn that a workflow waits for queues one notification with its end", () => {
  given(submitted({ origin }), at(70, claimed()))
    .when({ epoch: 1, outcome: { status: "completed" } })
    .then([completed(ended), queued()]);
});

test("S-27: each life of an id has a notification of its own", () => {
  const story = [submitted(), claimed(), completed(), { type: "TurnDeleted", data: {} } as const];
  given(...story, submitted({ origin }), at(70, claimed()))
    .when({ epoch: 1, outcome: { status: "completed" } })
    .then([completed(ended), queued({ notificationId: "t1/5", ordinal: 5 })]);
});

describe("FR-03, FR-04: only the present claim settles a turn", () => {
  const outcome = { status: "completed" } as const;

  test.each([
    ["completed", completed()],
    ["failed", failed()],
    ["cancelled", aborted({ messagesApplied: true, error: "stop" })],
    ["skipped", skipped()],
  ])("the first end wins: nothing settles a turn that was %s", (_, end) => {
    given(...running, end)
      .when({ epoch: 1, outcome })
      .then("not-running");
  });

  test("a worker whose attempt was given up cannot settle the next attempt", () => {
    given(...running, interrupted(), requeued(), claimed({ attempt: 2, epoch: 2 }))
      .when({ epoch: 1, outcome })
      .then("stale-epoch");
  });

  test("nor can it while the turn waits for that attempt", () => {
    given(...running, interrupted(), requeued())
      .when({ epoch: 1, outcome })
      .then("not-running");
  });

  test("an epoch that was never given is refused", () => {
    given(...running)
      .when({ epoch: 2, outcome })
      .then("stale-epoch");
  });

  test("a turn that does not exist is not settled", () => {
    given().when({ epoch: 1, outcome }).then("not-running");
  });
});
