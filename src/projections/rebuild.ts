import type { KnownEvent } from "../events/index.ts";
import { foldAll } from "./project.ts";
import type { Reducer, RowStore } from "./projection.ts";

/** Fold the whole log and make the stored rows the same. Touches only rows that differ; returns how many did. */
export function rebuild<Row extends object, Key extends string | number>(
  reducer: Reducer<Row, Key>,
  rows: RowStore<Row, Key>,
  events: Iterable<KnownEvent>,
): number {
  const right = foldAll(reducer, events);
  const stored = new Map(rows.all().map((row) => [rows.keyOf(row), row]));
  const wrong = [...stored].filter(([key, row]) => !sameRow(row, right.get(key))).map(([key]) => key);
  const missing = [...right.keys()].filter((key) => !stored.has(key));

  // Removed first, all of them: a unique column of a wrong row could stand in the way of a right one.
  for (const key of wrong) rows.remove(key);
  for (const key of [...wrong, ...missing]) {
    const row = right.get(key);
    if (row) rows.save(row, undefined);
  }
  return wrong.length + missing.length;
}

function sameRow(a: object, b: object | undefined): boolean {
  if (!b) return false;
  const other = new Map<string, unknown>(Object.entries(b));
  return Object.entries(a).every(([name, value]) => other.get(name) === value);
}
