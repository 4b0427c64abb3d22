import { deepStrictEqual } from "node:assert";
import type { KnownEvent } from "../events/index.ts";
import { foldAll } from "../projections/project.ts";
import type { Reducer } from "../projections/projection.ts";
import { inMemory } from "./memory-rows.ts";
import { tell, type Told } from "./specify-decider.ts";

/** A row reducer, and the stream that events of the story are on. */
export type ReducerSpecification<Row, Key extends string | number> = {
  readonly reducer: Reducer<Row, Key>;
  readonly stream: string;
};

/**
 * Given what happened, when this happens, then the row it concerns is that one; `null`: there is none any
 * more; `undefined`: it concerns no row. The row is folded event by event, and again in one go as a commit does.
 *
 * @example
 * import { specifyReducer } from "thinklog/testing";
 * const resets = {
 *   key: (event) => (event.type === "LaneReset" ? event.stream : undefined),
 *   reduce: (row, event) => ({ resets: (row?.resets ?? 0) + 1, at: event.at }),
 * };
 * const { given } = specifyReducer({ reducer: resets, stream: "lane" });
 * const reset = (generation: number) => ({ type: "LaneReset", data: { generation, reason: "test" } }) as const;
 * given(reset(1)).when(reset(2)).then({ resets: 2, at: 0 });
 */
export function specifyReducer<Row extends object, Key extends string | number>({
  reducer,
  stream,
}: ReducerSpecification<Row, Key>) {
  const given = (...story: Told[]) => ({
    when: (event: Told) => ({
      // oxlint-disable-next-line unicorn/no-thenable -- The word of the trade; nobody awaits a specification.
      then: (row: Row | null | undefined): void => {
        const events = tell([...story, event], stream).after(0) as KnownEvent[];
        const last = events.at(-1);
        const key = last && reducer.key(last);
        deepStrictEqual(key === undefined ? undefined : (foldAll(reducer, events).get(key) ?? null), row);
        if (key !== undefined) deepStrictEqual(inOneCommit(reducer, events, key) ?? null, row);
      },
    }),
  });
  return { given };
}

/** The row after all its events in one commit. */
function inOneCommit<Row extends object, Key extends string | number>(
  reducer: Reducer<Row, Key>,
  events: readonly KnownEvent[],
  key: Key,
): Row | undefined {
  const rows = inMemory("specified", reducer, () => key);
  rows.project(events.filter((event) => reducer.key(event) === key));
  return rows.load(key);
}
