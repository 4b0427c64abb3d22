import { describe, expect, test } from "vitest";
import type { KnownEvent } from "../../src/events/index.ts";
import type { RowStore } from "../../src/projections/projection.ts";
import { foldAll, project } from "../../src/projections/project.ts";
import { queueReducer } from "../../src/projections/queue/reducer.ts";
import { rebuild } from "../../src/projections/rebuild.ts";
import type { SubmissionRow } from "../../src/projections/submissions/row.ts";
import { submissionReducer } from "../../src/projections/submissions/reducer.ts";
import { inMemory } from "../../src/testing/memory-rows.ts";
import { tell, type Told } from "../../src/testing/specify-decider.ts";
import { aborted, applied, claimed, completed, deleted, on, submitted, T1, T2 } from "../support/facts.ts";

const story: readonly Told[] = [
  submitted({ idempotencyKey: "k" }),
  on(T2, submitted({ turnId: "t2" })),
  claimed(),
  completed(),
  on("turn/t3", submitted({ turnId: "t3" })),
  on(T2, aborted()),
];
const events = (told = story): KnownEvent[] => tell(told, T1).after(0) as KnownEvent[];
const rightRows = (): SubmissionRow[] => [...foldAll(submissionReducer, events()).values()];

/** A store that writes down what is done to it. */
function watched(rows: readonly SubmissionRow[]): { store: RowStore<SubmissionRow, number>; calls: string[] } {
  const inner = inMemory("submissions", submissionReducer, (row) => row.ordinal);
  for (const row of rows) inner.save(row, undefined);
  const calls: string[] = [];
  return {
    calls,
    store: {
      keyOf: inner.keyOf,
      all: inner.all,
      load: (key) => (calls.push(`load ${key}`), inner.load(key)),
      save: (row, before) => (calls.push(`save ${row.ordinal}${before ? " over" : ""}`), inner.save(row, before)),
      remove: (key) => (calls.push(`remove ${key}`), inner.remove(key)),
    },
  };
}

describe("a rebuild makes the stored rows those of the log", () => {
  test("a read model that is right is not written to", () => {
    const { store, calls } = watched(rightRows());
    expect(rebuild(submissionReducer, store, events())).toBe(0);
    expect(calls).toEqual([]);
  });

  test("FR-44: a ghost goes, a missing row comes, a wrong one is put right, each counted once", () => {
    const [first, second, third] = rightRows();
    const { store, calls } = watched([
      { ...first!, status: "error" },
      third!,
      { ...second!, ordinal: 99, submissionId: "ghost" },
    ]);
    expect(rebuild(submissionReducer, store, events())).toBe(3);
    expect(store.all()).toEqual(rightRows());
    expect(calls.filter((call) => call.endsWith(" 5"))).toEqual([]);
  });

  test("all wrong rows go before a right one comes: a unique key may have moved from one to the other", () => {
    const [first, second] = rightRows();
    const { store, calls } = watched([
      { ...first!, idempotencyKey: null },
      { ...second!, idempotencyKey: "k" },
    ]);
    rebuild(submissionReducer, store, events());
    const removed = calls.findLastIndex((call) => call.startsWith("remove"));
    expect(calls.findIndex((call) => call.startsWith("save"))).toBeGreaterThan(removed);
    expect(calls.filter((call) => call.startsWith("remove"))).toEqual(["remove 1", "remove 2"]);
  });

  test("FR-15: a deleted submission does not come back", () => {
    const { store } = watched(rightRows());
    expect(rebuild(submissionReducer, store, events([...story, deleted()]))).toBe(1);
    expect(store.load(1)).toBeUndefined();
  });

  test("an empty log leaves nothing", () => {
    const { store } = watched(rightRows());
    expect(rebuild(submissionReducer, store, [])).toBe(3);
    expect(store.all()).toEqual([]);
  });
});

describe("the inline write", () => {
  test("reads a row once and writes it once, however many events of a commit concern it", () => {
    const { store, calls } = watched([]);
    project(submissionReducer, store, events([submitted(), completed()]));
    project(submissionReducer, store, events([submitted(), completed(), aborted(), deleted()]).slice(2, 3));
    expect(calls).toEqual(["save 1", "load 1", "save 1 over"]);
  });

  test("does not look for a row that the first event opens", () => {
    const { store, calls } = watched([]);
    project(submissionReducer, store, events([submitted()]));
    expect(calls).toEqual(["save 1"]);
  });

  test("removes a row that is gone, and only if it was there", () => {
    const { store, calls } = watched(rightRows());
    project(submissionReducer, store, events([submitted(), completed(), deleted()]).slice(2));
    project(submissionReducer, store, events([submitted(), completed(), deleted()]).slice(2));
    expect(calls).toEqual(["load 1", "remove 1", "load 1"]);
  });

  test("a turn that comes and goes in one commit leaves no row", () => {
    const rows = inMemory("queue", queueReducer, (row) => row.ordinal);
    rows.project(events([submitted(), claimed(), applied(), completed()]));
    expect(rows.all()).toEqual([]);
  });
});

test("a fold goes on from rows that are there", () => {
  const half = foldAll(queueReducer, events().slice(0, 3));
  expect(foldAll(queueReducer, events().slice(3), half)).toEqual(foldAll(queueReducer, events()));
});
