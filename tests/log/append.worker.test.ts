import { expect, test } from "vitest";
import type { Append } from "../../src/events/index.ts";
import { VersionConflictError } from "../../src/log/index.ts";
import { CONTEXT, openLog, type RawLog, withLog } from "../support/raw-log.ts";

const reset = (generation: number) => ({ type: "LaneReset", data: { generation, reason: "test" } }) as const;
const append = (stream: string, expectedVersion: Append["expectedVersion"], count = 1): Append => ({
  stream,
  expectedVersion,
  events: Array.from({ length: count }, (_, index) => reset(index + 1)),
});

/** What an append was refused with. */
function refusal(write: () => unknown): VersionConflictError {
  try {
    write();
  } catch (error) {
    if (error instanceof VersionConflictError) return error;
    throw error;
  }
  throw new Error("The append was not refused");
}

const positions = ({ log }: RawLog): number[] => log.after(0, 100).map(({ position }) => position);

test('the expected version "none" opens a stream, and is refused with the actual version when it exists', () =>
  withLog(({ append: write }) => {
    const [event] = write(append("a", "none"));
    expect(event).toMatchObject({ position: 1, stream: "a", version: 1 });
    const error = refusal(() => write(append("a", "none")));
    expect(error).toMatchObject({ stream: "a", expectedVersion: "none", actualVersion: 1 });
    expect(error.message).toBe("Stream a is at version 1, not at the expected none");
  }));

test("an expected number must be the stream's version, and the conflict names the actual one", () =>
  withLog(({ append: write }) => {
    write(append("a", "none", 2));
    expect(write(append("a", 2))[0]).toMatchObject({ version: 3 });
    expect(refusal(() => write(append("a", 2)))).toMatchObject({ expectedVersion: 2, actualVersion: 3 });
    expect(refusal(() => write(append("a", 7)))).toMatchObject({ expectedVersion: 7, actualVersion: 3 });
    expect(refusal(() => write(append("new", 1)))).toMatchObject({ expectedVersion: 1, actualVersion: 0 });
    expect(write(append("zero", 0))[0]).toMatchObject({ version: 1 });
  }));

test('the expected version "any" asks nothing', () =>
  withLog(({ append: write }) => {
    expect(write(append("a", "any"))[0]).toMatchObject({ version: 1 });
    expect(write(append("a", "any"))[0]).toMatchObject({ version: 2 });
  }));

test("positions are gap-free over all streams, also after refused and rolled back appends", () =>
  withLog((raw) => {
    raw.append(append("a", "none", 2), append("b", "none"));
    refusal(() => raw.append(append("c", "none"), append("a", "none")));
    expect(() =>
      raw.storage.transactionSync(() => {
        raw.log.append([append("d", "none", 3)], CONTEXT);
        throw new Error("rolled back");
      }),
    ).toThrow("rolled back");
    raw.log.rolledBack();
    raw.append(append("b", 1));
    expect(positions(raw)).toEqual([1, 2, 3, 4]);
    expect(raw.log.stream("c")).toBeUndefined();
    expect(raw.log.stream("d")).toBeUndefined();
    expect(raw.log.head().position).toBe(4);
  }));

test("a log that is opened anew goes on where the other stopped", () =>
  withLog((raw) => {
    raw.append(append("a", "none", 2));
    const again = openLog(raw.storage);
    expect(again.append(append("a", 2))[0]).toMatchObject({ position: 3, version: 3 });
    expect(again.log.readStream("a").map(({ version }) => version)).toEqual([1, 2, 3]);
  }));

test("an event that does not fit its schema is refused before anything is written", () =>
  withLog((raw) => {
    const bad = { type: "LaneReset", data: { generation: 0, reason: "" } } as const;
    expect(() => raw.append({ stream: "a", expectedVersion: "none", events: [reset(1), bad] })).toThrow(
      "Event LaneReset does not fit its schema",
    );
    expect(positions(raw)).toEqual([]);
  }));

test("every event carries position, stream, version, type, schema version, time, actor and what caused it", () =>
  withLog((raw) => {
    raw.append(append("turn/t1", "none"));
    expect(raw.log.at(1)).toEqual({
      position: 1,
      stream: "turn/t1",
      version: 1,
      ordinal: 1,
      type: "LaneReset",
      schemaVersion: 1,
      at: CONTEXT.at,
      actor: "test",
      correlationId: "t1",
      causationId: "test:1",
      data: { generation: 1, reason: "test" },
    });
  }));

test("triggers refuse every UPDATE and DELETE of an event, hand-written ones too", () =>
  withLog((raw) => {
    raw.append(append("a", "none", 2));
    const { sql } = raw.storage;
    expect(() => sql.exec("UPDATE thinklog_events SET actor = 'me' WHERE position = 1")).toThrow("append-only");
    expect(() => sql.exec("UPDATE thinklog_events SET data = data")).toThrow("append-only");
    expect(() => sql.exec("DELETE FROM thinklog_events WHERE position = 2")).toThrow("append-only");
    expect(() => sql.exec("DELETE FROM thinklog_events")).toThrow("append-only");
    expect(() => sql.exec("INSERT OR REPLACE INTO thinklog_events SELECT * FROM thinklog_events LIMIT 1")).toThrow(
      "append-only",
    );
    expect(positions(raw)).toEqual([1, 2]);
  }));
