import type { EventRow, StreamRow } from "./tables.ts";

/** Where each stream stands, as the events say it: what `thinklog_streams` must be. */
export class StreamHeads {
  readonly #rows = new Map<string, StreamRow>();

  add({ stream, version, ordinal, position }: EventRow): void {
    this.#rows.set(stream, { stream, version, ordinal, head: position });
  }

  /** What has to be stored differently: a row to write, or one that no event speaks of. */
  differences(stored: readonly StreamRow[]): { readonly wrong: StreamRow[]; readonly bogus: StreamRow[] } {
    const known = new Map(stored.map((row) => [row.stream, row]));
    const wrong = [...this.#rows.values()].filter((row) => !isSame(row, known.get(row.stream)));
    return { wrong, bogus: stored.filter(({ stream }) => !this.#rows.has(stream)) };
  }
}

const isSame = (a: StreamRow, b: StreamRow | undefined): boolean =>
  a.version === b?.version && a.ordinal === b.ordinal && a.head === b.head;
