import { describe, test } from "vitest";
import { applyMessages, finishStep, linkMessage, startToolCall } from "../../src/commands/index.ts";
import type { MemoryLog } from "../../src/testing/memory-log.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import {
  aborted,
  applied,
  claimed,
  completed,
  interrupted,
  linked,
  requeued,
  stepFinished,
  submitted,
  T1,
  toolStarted,
} from "../support/facts.ts";

const turn = { state: (log: MemoryLog) => log.turn(T1), stream: T1 };
const secondAttempt = [submitted(), claimed(), interrupted(), requeued(), claimed({ attempt: 2, epoch: 2 })];
const cancelled = [submitted(), claimed(), applied(), aborted({ epoch: 1, messagesApplied: true })];

describe("messages that a function made", () => {
  const { given } = specifyDecider({ ...turn, decide: applyMessages });
  const apply = { epoch: 1, messageIds: ["m1"], parentId: null };

  test("are applied by the present claim", () => {
    given(submitted(), claimed()).when(apply).then([applied()]);
  });

  test("are applied at most once: a second time nothing is written", () => {
    given(submitted(), claimed(), applied())
      .when({ ...apply, messageIds: ["m2"] })
      .then([]);
  });

  test("FR-02: are not applied once the turn was cancelled", () => {
    given(submitted(), claimed(), aborted({ epoch: 1 }))
      .when(apply)
      .then("not-running");
  });

  test("are not applied by an older claim", () => {
    given(...secondAttempt)
      .when(apply)
      .then("stale-epoch");
  });
});

describe("a tool call", () => {
  const { given } = specifyDecider({ ...turn, decide: startToolCall });

  test("is on record before the tool runs", () => {
    given(submitted(), claimed(), applied()).when(toolStarted().data).then([toolStarted()]);
  });

  test("of an older claim, or of a turn that ended, is refused, so that the tool does not run", () => {
    given(...secondAttempt)
      .when(toolStarted().data)
      .then("stale-epoch");
    given(...cancelled)
      .when(toolStarted().data)
      .then("not-running");
  });
});

describe("a step", () => {
  const { given } = specifyDecider({ ...turn, decide: finishStep });

  test("is recorded with what it cost and what its tools did", () => {
    const toolCalls = [{ toolCallId: "c1", toolName: "weather", outcome: "ok" as const, durationMs: 5 }];
    const step = stepFinished({ finishReason: "tool-calls", toolCalls });
    given(submitted(), claimed(), applied()).when(step.data).then([step]);
  });

  test("of an older claim, or of a turn that ended, is refused", () => {
    given(...secondAttempt)
      .when(stepFinished().data)
      .then("stale-epoch");
    given(...cancelled)
      .when(stepFinished().data)
      .then("not-running");
  });
});

describe("S-20: the partial answer of a cancelled turn", () => {
  const { given } = specifyDecider({ ...turn, decide: linkMessage });
  const link = { epoch: 1, messageId: "a1" };

  test("is linked after the cancel", () => {
    given(...cancelled)
      .when(link)
      .then([linked()]);
  });

  test("is linked once", () => {
    given(...cancelled, linked())
      .when({ epoch: 1, messageId: "a2" })
      .then("already-linked");
  });

  test("of an older claim is not linked", () => {
    const story = [...secondAttempt, aborted({ epoch: 2 })];
    given(...story)
      .when(link)
      .then("stale-epoch");
  });

  test.each([
    ["waits", [submitted()]],
    ["runs", [submitted(), claimed()]],
    ["completed", [submitted(), claimed(), completed()]],
    ["does not exist", []],
  ])("is not linked to a turn that %s", (_, story) => {
    given(...story)
      .when(link)
      .then("not-aborted");
  });
});
