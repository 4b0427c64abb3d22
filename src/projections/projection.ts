import type { KnownEvent } from "../events/index.ts";

/**
 * A read model of one table: a pure fold of the log, a row at a time. The same reducer serves the inline
 * write, the rebuild, the verification and the tests: an event has one meaning.
 */
export type Reducer<Row, Key extends string | number = string | number> = {
  /** Which row the event concerns; `undefined` when it concerns none. */
  readonly key: (event: KnownEvent) => Key | undefined;
  /** The row after the event; `null` when there is none any more. */
  readonly reduce: (row: Row | undefined, event: KnownEvent) => Row | null;
};

/** Where the rows of a read model are kept. */
export type RowStore<Row, Key extends string | number = string | number> = {
  readonly keyOf: (row: Row) => Key;
  readonly load: (key: Key) => Row | undefined;
  /** Write the row; `before` is what is stored now, so that only what changed is written. */
  readonly save: (row: Row, before: Row | undefined) => void;
  readonly remove: (key: Key) => void;
  readonly all: () => Row[];
};

/** A read model as the registry knows it. Raise `version` when its reducer gives other rows. */
export type Projection<Row, Key extends string | number> = Reducer<Row, Key> &
  RowStore<Row, Key> & {
    readonly name: string;
    readonly version: number;
    /** Fold new events into the stored rows. */
    readonly project: (events: readonly KnownEvent[]) => void;
    /** Make the stored rows those that the whole log gives; returns how many differed. */
    readonly rebuild: (events: Iterable<KnownEvent>) => number;
  };
