import { describe, expect, test } from "vitest";
import { InvalidEventError, LANE_STREAM } from "../../src/events/index.ts";
import { VersionConflictError } from "../../src/log/conflict.ts";
import { MemoryLog } from "../../src/testing/memory-log.ts";
import { claimed, completed, deleted, laneReset, submitted, T1, T2 } from "../support/facts.ts";

const append = (
  stream: string,
  expectedVersion: number | "none" | "any",
  ...events: never[] | ReturnType<typeof submitted>[]
) => ({ stream, expectedVersion, events }) as const;

describe("positions, versions and ordinals are those of the real log", () => {
  test("positions run through all streams, versions through each", () => {
    const log = new MemoryLog();
    log.append([append(T1, "none", submitted()), append(T2, "none", submitted({ turnId: "t2" }))]);
    log.append([{ stream: T1, expectedVersion: 1, events: [claimed(), completed()] }]);
    expect(log.after(0).map(({ position, stream, version, ordinal }) => [position, stream, version, ordinal])).toEqual([
      [1, T1, 1, 1],
      [2, T2, 1, 2],
      [3, T1, 2, 1],
      [4, T1, 3, 1],
    ]);
  });

  test("an id that is used again opens a new life of the same stream", () => {
    const log = new MemoryLog();
    log.append([{ stream: T1, expectedVersion: "none", events: [submitted(), claimed(), completed(), deleted()] }]);
    log.append([append(T1, 4, submitted())]);
    expect(log.stream(T1)).toEqual({ version: 5, ordinal: 5 });
    expect(log.readStream(T1).map(({ position }) => position)).toEqual([5]);
    expect(log.turn(T1)).toMatchObject({ version: 5, turn: { status: "pending", ordinal: 5 } });
  });

  test("a stream that no turn opens begins with its first event", () => {
    const log = new MemoryLog();
    log.append([append(T1, "none", submitted())]);
    log.append([{ stream: LANE_STREAM, expectedVersion: "none", events: [laneReset()] }]);
    log.append([{ stream: LANE_STREAM, expectedVersion: 1, events: [laneReset({ generation: 2 })] }]);
    expect(log.stream(LANE_STREAM)).toEqual({ version: 2, ordinal: 2 });
  });

  test("events correlate by their turn unless the command says otherwise", () => {
    const log = new MemoryLog();
    log.append([append(T1, "none", submitted())], { at: 5, actor: "rpc", causationId: "c1" });
    log.append([append(T2, "none", submitted({ turnId: "t2" }))], {
      at: 6,
      actor: "rpc",
      causationId: "c2",
      correlationId: "x",
    });
    expect(log.after(0)).toMatchObject([
      { at: 5, actor: "rpc", causationId: "c1", correlationId: "t1", schemaVersion: 1 },
      { at: 6, correlationId: "x" },
    ]);
  });
});

describe("an append is all or nothing", () => {
  test.each([
    ["none", 1],
    [0, 1],
    [2, 1],
  ] as const)(
    "expected version %s of a stream at version %i is a conflict that names the actual one",
    (expected, actual) => {
      const log = new MemoryLog();
      log.append([append(T1, "none", submitted())]);
      const conflict = () =>
        log.append([append(T2, "none", submitted({ turnId: "t2" })), append(T1, expected, submitted())]);
      expect(conflict).toThrow(VersionConflictError);
      expect(conflict).toThrow(expect.objectContaining({ stream: T1, actualVersion: actual }));
      expect(log.head).toBe(1);
      expect(log.stream(T2)).toBeUndefined();
      expect(log.projections.queue.all()).toHaveLength(1);
    },
  );

  test("facts that do not fit keep the whole append out", () => {
    const log = new MemoryLog();
    expect(() =>
      log.append([{ stream: T1, expectedVersion: "any", events: [submitted(), claimed({ epoch: 0 })] }]),
    ).toThrow(InvalidEventError);
    expect(log.head).toBe(0);
    expect(log.projections.submissions.all()).toEqual([]);
  });

  test("the second append to a stream in one commit sees the first", () => {
    const log = new MemoryLog();
    log.append([append(T1, "none", submitted()), { stream: T1, expectedVersion: 1, events: [claimed()] }]);
    expect(log.stream(T1)?.version).toBe(2);
  });
});

test("read models are folded inline by the real reducers", () => {
  const log = new MemoryLog();
  log.append([{ stream: T1, expectedVersion: "none", events: [submitted({ idempotencyKey: "k" }), claimed()] }]);
  expect(log.projections.queue.all()).toMatchObject([{ ordinal: 1, status: "running" }]);
  log.append([{ stream: T1, expectedVersion: 2, events: [completed()] }]);
  expect(log.projections.queue.all()).toEqual([]);
  expect(log.projections.submissions.load(1)).toMatchObject({ status: "completed", idempotencyKey: "k" });
});

test("pages of the log begin after a position", () => {
  const log = new MemoryLog();
  log.append([{ stream: T1, expectedVersion: "none", events: [submitted(), claimed(), completed()] }]);
  expect(log.after(1, 1).map(({ type }) => type)).toEqual(["TurnClaimed"]);
  expect(log.after(3)).toEqual([]);
});
