import {
  type Append,
  decode,
  encode,
  type EventContext,
  type KnownEvent,
  OPENING,
  subjectOf,
  type StoredEvent,
  type UnknownEvent,
} from "../events/index.ts";
import { chainHash, GENESIS } from "./chain.ts";
import { assertVersion } from "./conflict.ts";
import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { LruMap } from "./lru-map.ts";
import { newestStreamRows, readStreamRows } from "./read-stream.ts";
import { StreamHeads } from "./stream-heads.ts";
import { prepareStatements, type Statements } from "./statements.ts";
import type { EventRow, StreamRow } from "./tables.ts";

/** As the event carries it; without a wider correlation the stream's subject, the turn, is one. */
export type AppendContext = Omit<EventContext, "correlationId"> & { readonly correlationId?: string };

const REMEMBERED_STREAMS = 64;

/** Rows read at once by a walk over the log: it may be larger than memory. */
const CHUNK = 500;

type Head = { readonly position: number; readonly hash: string };

const EMPTY: Head = { position: 0, hash: GENESIS };

/** The log of one Durable Object. The only writer of events; callers wrap appends in their own transaction. */
export class EventLog {
  readonly #storage: DurableObjectStorage;
  readonly #statements: Statements;
  #head: Head | undefined;
  /** Heads of streams at work, so that each append need not look for them; `null`: looked for, not there. */
  readonly #streams = new LruMap<string, StreamRow | null>(REMEMBERED_STREAMS);

  constructor(storage: DurableObjectStorage, db: Database) {
    this.#storage = storage;
    this.#statements = prepareStatements(db);
  }

  /** The newest event's position and hash; position 0 for an empty log. */
  head(): Head {
    this.#head ??= this.#statements.head.get() ?? EMPTY;
    return this.#head;
  }

  /**
   * Write events, each with the next position and chained to the one before.
   *
   * @throws {VersionConflictError} when a stream is not at its expected version; nothing is written then,
   *   as long as the caller's transaction rolls back.
   */
  append(appends: readonly Append[], context: AppendContext): KnownEvent[] {
    /** The streams of this commit: each row is written once, whatever comes to it. */
    const touched = new Map<string, { readonly isNew: boolean; readonly row: StreamRow }>();
    const stored = appends.flatMap(({ stream, expectedVersion, events, cause }) => {
      const before = touched.get(stream);
      const known = before?.row ?? this.stream(stream);
      assertVersion(stream, expectedVersion, known?.version ?? 0);
      if (events.length === 0) return [];
      const appended = this.#appendToStream(stream, known, events, { ...context, ...cause });
      touched.set(stream, { isNew: before?.isNew ?? known === undefined, row: appended.row });
      return appended.stored;
    });
    for (const { isNew, row } of touched.values()) {
      this.#streams.set(row.stream, row);
      if (isNew) this.#statements.insertStream.run(row);
      else this.#statements.updateStream.run(row);
    }
    return stored;
  }

  /** Is the newest event the one that is held in memory? Reads one row. When it is not, all that was held is forgotten. */
  isAsRemembered(): boolean {
    const stored = this.#statements.head.get() ?? EMPTY;
    const same = this.#head === undefined || this.#head.hash === stored.hash;
    if (!same) this.rolledBack();
    this.#head = stored;
    return same;
  }

  /** Forget what is held in memory: the caller's transaction did not commit. */
  rolledBack(): void {
    this.#head = undefined;
    this.#streams.clear();
  }

  /** The newest version of a stream and where its present life begins; absent when it does not exist. */
  stream(stream: string): StreamRow | undefined {
    const remembered = this.#streams.get(stream);
    if (remembered !== undefined) return remembered ?? undefined;
    const row = this.#statements.stream.get({ stream });
    this.#streams.set(stream, row ?? null);
    return row;
  }

  /** The newest position that any stream knows of: as the table says it, for verification. */
  newestHead(): number {
    return this.#statements.newestHead.get()?.position ?? 0;
  }

  /** The heads of all streams: as the table says it, for verification. */
  streamRows(): StreamRow[] {
    return this.#statements.allStreams.all();
  }

  /** Make the heads of the streams what the events say; returns how many were not. Belongs in a transaction. */
  repairStreams(): number {
    const heads = new StreamHeads();
    for (const row of this.#rows()) heads.add(row);
    const { wrong, bogus } = heads.differences(this.streamRows());
    for (const { stream } of [...wrong, ...bogus]) this.#statements.removeStream.run({ stream });
    for (const row of wrong) this.#statements.insertStream.run(row);
    this.rolledBack();
    return wrong.length + bogus.length;
  }

  /** The events of a stream's present life, oldest first. Reads one row an event. */
  readStream(stream: string): (KnownEvent | UnknownEvent)[] {
    const known = this.stream(stream);
    if (!known) return [];
    return readStreamRows(this.#storage, known.head, known.ordinal).map(fromRow);
  }

  /** All of a stream as stored, earlier lives included, oldest first. */
  historyRows(stream: string): EventRow[] {
    const known = this.stream(stream);
    return known ? readStreamRows(this.#storage, known.head, 1) : [];
  }

  /**
   * A stream from its newest event back, earlier lives included, for at most so many events.
   *
   * @param before - Only what is older than this event of the stream.
   */
  newestOf(stream: string, limit: number, before?: number): (KnownEvent | UnknownEvent)[] {
    const from = before === undefined ? this.stream(stream)?.head : this.#rowBefore(stream, before);
    return from === undefined ? [] : newestStreamRows(this.#storage, from, limit).map(fromRow);
  }

  /** One event, by its position. */
  at(position: number): KnownEvent | UnknownEvent | undefined {
    const row = this.#statements.eventAt.get({ position });
    return row && fromRow(row);
  }

  /** The next events after a position, oldest first. */
  after(position: number, limit: number): (KnownEvent | UnknownEvent)[] {
    return this.rowsAfter(position, limit).map(fromRow);
  }

  /** The same, as stored: for verification, which must see the bytes. */
  rowsAfter(position: number, limit: number): EventRow[] {
    return this.#statements.eventsAfter.all({ after: position, limit });
  }

  /** All events, oldest first. */
  *all(): Generator<KnownEvent | UnknownEvent> {
    for (const row of this.#rows()) yield fromRow(row);
  }

  #rowBefore(stream: string, position: number): number | undefined {
    const row = this.#statements.eventAt.get({ position });
    return row?.stream === stream ? (row.previous ?? undefined) : undefined;
  }

  *#rows(): Generator<EventRow> {
    let rows = this.rowsAfter(0, CHUNK);
    while (rows.length > 0) {
      yield* rows;
      rows = this.rowsAfter(rows.at(-1)?.position ?? 0, CHUNK);
    }
  }

  #appendToStream(
    stream: string,
    known: StreamRow | undefined,
    events: Append["events"],
    context: AppendContext,
  ): { stored: KnownEvent[]; row: StreamRow } {
    const { at, actor, causationId, correlationId = subjectOf(stream) } = context;
    let { version, ordinal, head } = known ?? { version: 0, ordinal: 0, head: null };
    const stored = events.map((event) => {
      const { data, schemaVersion } = encode(event);
      const last = this.head();
      const position = last.position + 1;
      version += 1;
      if (event.type === OPENING || ordinal === 0) ordinal = position;
      const header = { position, stream, version, ordinal, schemaVersion, correlationId, at, actor, causationId };
      const row = { ...header, type: event.type, previous: head, data };
      const hash = chainHash(last.hash, row);
      this.#statements.insertEvent.run({ ...row, hash });
      this.#head = { position, hash };
      head = position;
      return { ...header, type: event.type, data: JSON.parse(data) } as KnownEvent;
    });
    return { stored, row: { stream, version, ordinal, head: this.head().position } };
  }
}

export const fromRow = ({ previous: _, hash: __, data, ...header }: EventRow): KnownEvent | UnknownEvent =>
  decode({ ...header, data: JSON.parse(data) } satisfies StoredEvent);
