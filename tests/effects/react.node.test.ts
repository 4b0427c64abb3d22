import { describe, expect, test } from "vitest";
import { type Effect, react } from "../../src/effects/index.ts";
import type { KnownEvent } from "../../src/events/index.ts";
import { tell, type Told } from "../../src/testing/specify-decider.ts";
import * as facts from "../support/facts.ts";

const { aborted, claimed, completed, failed, requeued, skipped, submitted, T1 } = facts;

/** Given the story, what follows from its last event? The turn is the one after it, as the engine has it. */
function effectsOf(...story: Told[]): readonly Effect[] {
  const log = tell(story, T1);
  return react(log.after(log.head - 1)[0] as KnownEvent, log.turn(T1).turn);
}

const ids = { submissionId: "t1", requestId: "t1" };
const status = (status: string): Effect => ({ kind: "emit", type: "submission:status", payload: { ...ids, status } });
const error = (error: string): Effect => ({ kind: "emit", type: "submission:error", payload: { ...ids, error } });
const announce = (position: number): Effect => ({ kind: "announce", stream: T1, position });
const released = (position: number): Effect => ({ kind: "release-caller", turnId: "t1", position });
const release = released(3);
const blocking = submitted({ trigger: "programmatic" });

describe("a submission", () => {
  test("S-6, S-45, O-3: accepted: create, then pending, told to the hook, and the lane is armed", () => {
    expect(effectsOf(submitted())).toEqual([
      { kind: "emit", type: "submission:create", payload: ids },
      status("pending"),
      announce(1),
      { kind: "arm-lane", when: "soon" },
    ]);
  });

  test("S-45: its key is in the create event", () => {
    expect(effectsOf(submitted({ idempotencyKey: "k" }))[0]).toEqual({
      kind: "emit",
      type: "submission:create",
      payload: { ...ids, idempotencyKey: "k" },
    });
  });

  test("S-44: claimed: running, told to the hook", () => {
    expect(effectsOf(submitted(), claimed())).toEqual([status("running"), announce(2)]);
  });

  test("S-44: given back: pending, told to the hook, and the lane is armed", () => {
    expect(effectsOf(submitted(), claimed(), requeued())).toEqual([
      status("pending"),
      announce(3),
      { kind: "arm-lane", when: "soon" },
    ]);
  });

  test("S-44: completed: told to the hook, and its caller may go on", () => {
    expect(effectsOf(submitted(), claimed(), completed())).toEqual([status("completed"), announce(3), release]);
  });

  test("S-45: failed: the error after the status", () => {
    const effects = effectsOf(submitted(), claimed(), failed());
    expect(effects).toEqual([status("error"), error("boom"), announce(3), release]);
  });

  test("skipped: the same, with its reason", () => {
    const effects = effectsOf(submitted(), skipped({ error: "reset" }));
    expect(effects).toEqual([status("skipped"), error("reset"), announce(2), released(2)]);
  });

  test("aborted: its attempt is stopped first, with the reason", () => {
    expect(effectsOf(submitted(), claimed(), aborted({ error: "stop" }))).toEqual([
      { kind: "abort-turn", turnId: "t1", reason: "stop" },
      status("aborted"),
      error("stop"),
      announce(3),
      release,
    ]);
  });

  test("S-31: aborted without a reason: no error event", () => {
    expect(effectsOf(submitted(), aborted())).toEqual([
      { kind: "abort-turn", turnId: "t1", reason: undefined },
      status("aborted"),
      announce(2),
      released(2),
    ]);
  });

  test("that is scheduled is a submission like any other", () => {
    expect(effectsOf(submitted({ trigger: "scheduled" })).map(({ kind }) => kind)).toEqual([
      "emit",
      "emit",
      "announce",
      "arm-lane",
    ]);
  });
});

describe("a turn whose caller waits", () => {
  test("accepted: an alarm for the case that this object stops, and nothing else", () => {
    expect(effectsOf(blocking)).toEqual([{ kind: "arm-lane", when: "backstop" }]);
  });

  test("given back: the same", () => {
    expect(effectsOf(blocking, claimed(), requeued())).toEqual([{ kind: "arm-lane", when: "backstop" }]);
  });

  test("claimed: nothing", () => {
    expect(effectsOf(blocking, claimed())).toEqual([]);
  });

  test.each([completed(), failed(), skipped()])("$type: its caller goes on, and no hook is told", (end) => {
    expect(effectsOf(blocking, claimed(), end)).toEqual([release]);
  });

  test("aborted: its attempt is stopped, then its caller goes on", () => {
    expect(effectsOf(blocking, claimed(), aborted())).toEqual([
      { kind: "abort-turn", turnId: "t1", reason: undefined },
      release,
    ]);
  });
});

describe("nothing follows from", () => {
  test.each([
    facts.applied(),
    facts.toolStarted(),
    facts.stepFinished(),
    facts.interrupted(),
    facts.linked(),
    facts.keyBound(),
    facts.mismatched(),
    facts.deleted(),
    facts.tombstoneExpired(),
    facts.queued(),
    facts.delivered(),
    facts.deliveryFailed(),
    facts.parked(),
    facts.workflowStarted(),
    facts.workflowStartUnclear(),
    facts.workflowRequestFailed(),
    facts.workflowReported(),
    facts.laneReset(),
    facts.rebuilt(),
  ])("$type", (event) => {
    expect(effectsOf(submitted(), claimed(), event)).toEqual([]);
  });

  test("an event that concerns no turn", () => {
    expect(effectsOf(completed())).toEqual([]);
  });
});

test("FR-27: a workflow that is asked for: an alarm for the case that this object stops before it is started", () => {
  expect(effectsOf(facts.workflowRequested())).toEqual([{ kind: "arm-workflows", when: "backstop" }]);
});
