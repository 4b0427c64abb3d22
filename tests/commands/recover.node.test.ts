import { describe, expect, test } from "vitest";
import { claim, recover } from "../../src/commands/index.ts";
import { MemoryLog } from "../../src/testing/memory-log.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import {
  applied,
  at,
  claimed,
  completed,
  failed,
  interrupted,
  origin,
  queued,
  requeued,
  submitted,
  T1,
  toolStarted,
} from "../support/facts.ts";

const { given } = specifyDecider({ decide: recover, state: (log) => log.turn(T1), stream: T1 });
const wake = { epoch: 1, maxAttempts: 3, repeatable: true };
const ended = { epoch: 1, startedAt: 70 };

test("a turn interrupted before anything was applied goes back to its place, with the reason", () => {
  given(submitted(), claimed()).when(wake).then([interrupted(), requeued()]);
});

test("FR-08: a turn interrupted after its messages were applied is tried again, not abandoned", () => {
  given(submitted(), claimed(), applied()).when(wake).then([interrupted(), requeued()]);
});

test("a turn that had started a tool is not run twice: it fails and says why", () => {
  given(submitted(), at(70, claimed()), applied(), toolStarted())
    .when(wake)
    .then([interrupted(), failed({ ...ended, error: "Submission was interrupted after messages were applied." })]);
});

test("a tool that an earlier attempt started counts for the later ones", () => {
  given(submitted(), claimed(), applied(), toolStarted(), requeued(), at(70, claimed({ attempt: 2, epoch: 2 })))
    .when({ ...wake, epoch: 2 })
    .then([
      interrupted({ attempt: 2, epoch: 2 }),
      failed({ epoch: 2, startedAt: 70, error: "Submission was interrupted after messages were applied." }),
    ]);
});

test("a turn whose input function is gone cannot start again: it fails and says why", () => {
  const error = "The turn was interrupted before its input function had produced the messages.";
  given(submitted(), at(70, claimed()))
    .when({ ...wake, repeatable: false })
    .then([interrupted(), failed({ ...ended, error })]);
});

test("once its messages are applied, a turn needs no input function to start again", () => {
  given(submitted(), claimed(), applied())
    .when({ ...wake, repeatable: false })
    .then([interrupted(), requeued()]);
});

test("the workflow that waits for a turn that was given up is notified", () => {
  given(submitted({ origin }), at(70, claimed()), applied(), toolStarted())
    .when(wake)
    .then([
      interrupted(),
      failed({ ...ended, error: "Submission was interrupted after messages were applied." }),
      queued(),
    ]);
});

describe("FR-10: a turn that kills its object stops by itself", () => {
  test("at the limit it fails and says how often it was tried", () => {
    given(
      submitted(),
      claimed(),
      requeued(),
      claimed({ attempt: 2, epoch: 2 }),
      requeued(),
      at(70, claimed({ attempt: 3, epoch: 3 })),
    )
      .when({ ...wake, epoch: 3 })
      .then([
        interrupted({ attempt: 3, epoch: 3 }),
        failed({ epoch: 3, startedAt: 70, error: "The turn was interrupted 3 times and given up." }),
      ]);
  });

  test("one below the limit it is tried again", () => {
    given(submitted(), claimed(), requeued(), claimed({ attempt: 2, epoch: 2 }))
      .when({ ...wake, epoch: 2 })
      .then([interrupted({ attempt: 2, epoch: 2 }), requeued()]);
  });

  test("whatever the limit, claim and crash end after that many attempts", () => {
    for (const maxAttempts of [1, 2, 5]) {
      const log = new MemoryLog();
      log.append([{ stream: T1, expectedVersion: "none", events: [submitted()] }]);
      let claims = 0;
      while (log.turn(T1).turn?.status === "pending") {
        claims += 1;
        expect(claims).toBeLessThanOrEqual(maxAttempts);
        const taken = claim({ generation: 0, laneBusy: false, parentId: null, messageIds: ["m1"] }, log.turn(T1));
        if (taken.kind === "record") log.append(taken.appends);
        const found = recover({ epoch: log.turn(T1).turn?.epoch ?? 0, maxAttempts, repeatable: true }, log.turn(T1));
        if (found.kind === "record") log.append(found.appends);
      }
      expect(log.turn(T1).turn).toMatchObject({ status: "error", attempts: maxAttempts });
    }
  });
});

describe("FR-04: recovery acts on what is on record now", () => {
  test("a second recovery of one attempt is refused", () => {
    given(submitted(), claimed(), interrupted(), requeued()).when(wake).then("not-running");
  });

  test("recovery of an attempt does not touch the next one", () => {
    given(submitted(), claimed(), requeued(), claimed({ attempt: 2, epoch: 2 }))
      .when(wake)
      .then("stale-epoch");
  });

  test("a turn that ended is left as it is", () => {
    given(submitted(), claimed(), completed()).when(wake).then("not-running");
  });

  test("a turn that does not exist is left alone", () => {
    given().when(wake).then("not-running");
  });
});
