import { AssertionError } from "node:assert";
import { describe, expect, test } from "vitest";
import { cancel } from "../../src/commands/index.ts";
import { VersionConflictError } from "../../src/log/conflict.ts";
import { queueReducer } from "../../src/projections/queue/reducer.ts";
import { fixedClock, fixedIds } from "../../src/testing/fixed.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import { specifyReducer } from "../../src/testing/specify-reducer.ts";
import { aborted, claimed, completed, on, stepFinished, submitted, T1, T2 } from "../support/facts.ts";

const wrong = (specify: () => void) => expect(specify).toThrow(AssertionError);

describe("a decider's specification fails", () => {
  const { given } = specifyDecider({ decide: cancel, state: (log) => log.turn(T1), stream: T1 });
  test("when other facts, other events, another stream, more or less is recorded", () => {
    const cancelled = () => given(submitted()).when({ error: "stop" });
    cancelled().then([aborted({ error: "stop" })]);
    wrong(() => cancelled().then([aborted({ error: "else" })]));
    wrong(() => cancelled().then([completed()]));
    wrong(() => cancelled().then([on(T2, aborted({ error: "stop" }))]));
    wrong(() => cancelled().then([aborted({ error: "stop" }), aborted({ error: "stop" })]));
    wrong(() => cancelled().then([]));
  });

  test("when a refusal was expected, when it was not, or when it is another", () => {
    given().when({}).then("not-found");
    wrong(() => given(submitted()).when({}).then("not-found"));
    wrong(() => given().when({}).then([]));
    wrong(() => given().when({}).then("already-terminal"));
  });

  test("when what is recorded could not be appended", () => {
    const stale = specifyDecider({
      stream: T1,
      state: (log) => ({ ...log.turn(T1), version: 7 }),
      decide: cancel,
    });
    expect(() => stale.given(submitted()).when({}).then([aborted()])).toThrow(VersionConflictError);
  });
});

describe("a reducer's specification fails", () => {
  const { given } = specifyReducer({ reducer: queueReducer, stream: T1 });
  const row = {
    ordinal: 1,
    turnId: "t1",
    trigger: "submission",
    generation: 0,
    status: "pending",
    attempt: 0,
    epoch: 0,
    startedAt: null,
    applied: 0,
  } as const;

  test("when the row is another, there, not there, or not concerned", () => {
    given().when(submitted()).then(row);
    wrong(() =>
      given()
        .when(submitted())
        .then({ ...row, attempt: 1 }),
    );
    wrong(() => given().when(submitted()).then(null));
    wrong(() => given(submitted(), claimed()).when(completed()).then(row));
    wrong(() => given(submitted()).when(stepFinished()).then(null));
    given(submitted()).when(stepFinished()).then(undefined);
  });

  test("when one commit gives another row than event by event", () => {
    const forgetful = specifyReducer({
      stream: T1,
      // Counts calls instead of folding the row: right event by event, wrong in a second fold.
      reducer: { key: () => 1, reduce: counter() },
    });
    wrong(() => forgetful.given(submitted()).when(claimed()).then({ ordinal: 2 }));
  });
});

function counter() {
  let calls = 0;
  return () => ({ ordinal: (calls += 1) });
}

test("the clock stands still, goes and steps back as told; ids are the same in every run", () => {
  const clock = fixedClock(100);
  expect([clock.now(), clock.now()]).toEqual([100, 100]);
  clock.advance(5);
  clock.advance(-50);
  expect(clock.now()).toBe(55);
  const ids = fixedIds();
  expect([ids.uuid(), ids.uuid(), ids.salt()]).toEqual(["id-1", "id-2", "salt"]);
});
