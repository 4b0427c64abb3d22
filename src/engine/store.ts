import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { evolve, noTurn, type TurnState } from "../commands/index.ts";
import { type Append, isKnown, type KnownEvent, LANE_STREAM } from "../events/index.ts";
import { type AppendContext, Belief, EventLog, LruMap, PayloadStore } from "../log/index.ts";
import { openProjections, type Projections } from "../projections/index.ts";

/** Turns whose state is kept in memory: those at work, so that a settle does not read its stream again. */
const REMEMBERED_TURNS = 64;

/**
 * The log and its read models, written together. One synchronous transaction appends, projects, and
 * makes the conversation writes that belong to it; nothing in it awaits, or it would not roll back.
 */
export class Store {
  readonly payloads: PayloadStore;
  readonly projections: Projections;
  readonly #storage: DurableObjectStorage;
  readonly #log: EventLog;
  readonly #belief = new Belief();
  #lane: { readonly version: number; readonly generation: number } | undefined;
  readonly #turns = new LruMap<string, TurnState>(REMEMBERED_TURNS);

  constructor(storage: DurableObjectStorage, db: Database) {
    this.#storage = storage;
    this.#log = new EventLog(storage, db);
    this.payloads = new PayloadStore(db);
    this.projections = openProjections(db);
  }

  get log(): EventLog {
    this.#assureMemory();
    return this.#log;
  }

  /** The lane's own stream: its version, and the generation that the last reset began. */
  lane(): { readonly version: number; readonly generation: number } {
    this.#assureMemory();
    this.#lane ??= this.#readLane();
    return this.#lane;
  }

  /** The fold of a turn's stream. */
  turn(stream: string): TurnState {
    this.#assureMemory();
    return this.justWritten(stream);
  }

  /** The same, for who has just made a commit and has not returned yet: it cannot have rolled back. */
  justWritten(stream: string): TurnState {
    const remembered = this.#turns.get(stream);
    if (remembered) return remembered;
    const events = this.#log.readStream(stream);
    const version = events.at(-1)?.version ?? 0;
    const state = { ...events.filter(isKnown).reduce(evolve, noTurn(stream)), version };
    if (version > 0) this.#turns.set(stream, state);
    return state;
  }

  /**
   * Write events and everything that follows from them, or nothing.
   *
   * @param alongside - Further synchronous writes of the same commit; it gets the events as stored.
   */
  commit(
    appends: readonly Append[],
    context: AppendContext,
    alongside?: (events: readonly KnownEvent[]) => void,
  ): KnownEvent[] {
    this.#assureMemory();
    try {
      const events = this.#storage.transactionSync(() => {
        const stored = this.#log.append(appends, context);
        for (const projection of Object.values(this.projections)) projection.project(stored);
        alongside?.(stored);
        return stored;
      });
      this.#belief.wrote();
      for (const event of events) this.#remember(event);
      return events;
    } catch (error) {
      this.#log.rolledBack();
      this.#forget();
      throw error;
    }
  }

  /** Make the heads of the streams what the log's events say; returns how many were not. */
  repairStreams(): number {
    const differences = this.#log.repairStreams();
    this.#forget();
    return differences;
  }

  /** Writes that belong together and concern no event. */
  atomically<T>(write: () => T): T {
    return this.#storage.transactionSync(write);
  }

  /** Drop what is held in memory when a caller's transaction took commits of ours back. */
  #assureMemory(): void {
    if (this.#belief.mustLook() && !this.#log.isAsRemembered()) this.#forget();
  }

  #forget(): void {
    this.#lane = undefined;
    this.#turns.clear();
  }

  #readLane(): { version: number; generation: number } {
    const known = this.#log.stream(LANE_STREAM);
    const last = known && this.#log.at(known.head);
    const generation = last && isKnown(last) && last.type === "LaneReset" ? last.data.generation : 0;
    return { version: known?.version ?? 0, generation };
  }

  #remember(event: KnownEvent): void {
    if (event.type === "LaneReset") this.#lane = { version: event.version, generation: event.data.generation };
    const state = this.#turns.get(event.stream) ?? (event.version === 1 ? noTurn(event.stream) : undefined);
    if (state) this.#turns.set(event.stream, evolve(state, event));
  }
}
