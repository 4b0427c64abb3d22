import { evolve, noTurn, type TurnState } from "../commands/index.ts";
import {
  type Append,
  decode,
  encode,
  type EventContext,
  isKnown,
  type KnownEvent,
  OPENING,
  subjectOf,
  type UnknownEvent,
} from "../events/index.ts";
import { assertVersion } from "../log/conflict.ts";
import { memoryProjections } from "./memory-rows.ts";

type Stream = { readonly version: number; readonly ordinal: number };
type Context = Omit<EventContext, "correlationId"> & { readonly correlationId?: string };

/**
 * The log without a database: the same positions, versions, ordinals and conflicts, and the same reducers
 * folded inline. What is read back has been through JSON and the codec, as from the real one.
 *
 * @example
 * import { MemoryLog } from "thinklog/testing";
 * const log = new MemoryLog();
 * const reset = { type: "LaneReset", data: { generation: 1, reason: "test" } } as const;
 * log.append([{ stream: "lane", expectedVersion: "none", events: [reset] }]);
 * console.log(log.after(0).map((event) => `${event.position} ${event.type}`)); // [ '1 LaneReset' ]
 */
export class MemoryLog {
  readonly projections = memoryProjections();
  readonly #events: (KnownEvent | UnknownEvent)[] = [];
  readonly #streams = new Map<string, Stream>();

  /**
   * Write events and fold them into the read models, all or nothing.
   *
   * @throws {VersionConflictError} when a stream is not at its expected version.
   * @throws {InvalidEventError} when facts do not fit their schema.
   */
  append(appends: readonly Append[], context: Context = CONTEXT): KnownEvent[] {
    const heads = new Map<string, Stream>();
    const rows: (KnownEvent | UnknownEvent)[] = [];
    const events = appends.flatMap(({ stream, expectedVersion, events: proposed, cause }) => {
      let { version, ordinal } = heads.get(stream) ?? this.stream(stream) ?? { version: 0, ordinal: 0 };
      assertVersion(stream, expectedVersion, version);
      return proposed.map((event) => {
        const { data, schemaVersion } = encode(event);
        const position = this.#events.length + rows.length + 1;
        version += 1;
        if (event.type === OPENING || ordinal === 0) ordinal = position;
        heads.set(stream, { version, ordinal });
        const header = {
          correlationId: subjectOf(stream),
          ...context,
          ...cause,
          position,
          stream,
          version,
          ordinal,
          schemaVersion,
          type: event.type,
        };
        rows.push(decode({ ...header, data: JSON.parse(data) as unknown }));
        return { ...header, data: JSON.parse(data) } as KnownEvent;
      });
    });
    // Nothing is kept before everything fits.
    this.#events.push(...rows);
    for (const [stream, head] of heads) this.#streams.set(stream, head);
    for (const projection of Object.values(this.projections)) projection.project(events);
    return events;
  }

  /** Position of the newest event; 0 for an empty log. */
  get head(): number {
    return this.#events.length;
  }

  /** The newest version of a stream and where its present life begins; absent when it does not exist. */
  stream(stream: string): Stream | undefined {
    return this.#streams.get(stream);
  }

  /** The events of a stream's present life, oldest first. */
  readStream(stream: string): (KnownEvent | UnknownEvent)[] {
    const from = this.stream(stream)?.ordinal ?? 0;
    return this.#events.filter((event) => event.stream === stream && event.position >= from);
  }

  /** The next events after a position, oldest first. */
  after(position: number, limit = Number.POSITIVE_INFINITY): (KnownEvent | UnknownEvent)[] {
    return this.#events.slice(position, position + limit);
  }

  /** What the deciders know of a turn. */
  turn(stream: string): TurnState {
    const state = this.readStream(stream).filter(isKnown).reduce(evolve, noTurn(stream));
    return { ...state, version: this.stream(stream)?.version ?? 0 };
  }
}

const CONTEXT: Context = { at: 0, actor: "test", causationId: "test" };
