import type { KnownEvent } from "../events/index.ts";
import type { Reducer, RowStore } from "./projection.ts";

/** Fold new events into a read model: each row is read once, folded in memory, and written once. */
export function project<Row, Key extends string | number>(
  reducer: Reducer<Row, Key>,
  rows: RowStore<Row, Key>,
  events: readonly KnownEvent[],
): void {
  for (const [key, rowEvents] of byRow(reducer, events)) {
    const before = opensRow(rowEvents[0]) ? undefined : rows.load(key);
    const after = fold(reducer, before, rowEvents);
    if (after !== undefined) rows.save(after, before);
    else if (before !== undefined) rows.remove(key);
  }
}

/** Fold a whole log in memory: what the read model must be. */
export function foldAll<Row, Key extends string | number>(
  reducer: Reducer<Row, Key>,
  events: Iterable<KnownEvent>,
  rows: Map<Key, Row> = new Map(),
): Map<Key, Row> {
  for (const event of events) {
    const key = reducer.key(event);
    if (key === undefined) continue;
    const row = reducer.reduce(rows.get(key), event);
    if (row === null) rows.delete(key);
    else rows.set(key, row);
  }
  return rows;
}

function byRow<Row, Key extends string | number>(
  reducer: Reducer<Row, Key>,
  events: readonly KnownEvent[],
): Map<Key, KnownEvent[]> {
  const groups = new Map<Key, KnownEvent[]>();
  for (const event of events) {
    const key = reducer.key(event);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(event);
    else groups.set(key, [event]);
  }
  return groups;
}

/** Rows keyed by ordinal cannot exist before the event that makes the ordinal: no need to look. */
const opensRow = (event: KnownEvent | undefined): boolean => event?.position === event?.ordinal;

const fold = <Row, Key extends string | number>(
  { reduce }: Reducer<Row, Key>,
  before: Row | undefined,
  events: readonly KnownEvent[],
): Row | undefined => events.reduce<Row | undefined>((row, event) => reduce(row, event) ?? undefined, before);
