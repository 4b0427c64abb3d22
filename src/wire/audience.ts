import type { Connection } from "agents";
import type { WireHost } from "./host.ts";

/** The connections that follow the conversation. */
export class Audience {
  readonly #host: WireHost;
  /** Known since the object woke; `undefined`: not looked yet. Sockets outlive the object's memory. */
  #open: Map<string, Connection> | undefined;
  /** Accepted, but not greeted: what it got now would come before the conversation that it belongs to. */
  readonly #arriving = new Set<string>();
  /** Told of this answer, and not asked for it yet: what is live of it would come before what was. */
  readonly #held = new Map<string, string>();

  constructor(host: WireHost) {
    this.#host = host;
  }

  get isEmpty(): boolean {
    return this.#connections().size === 0;
  }

  has(connectionId: string): boolean {
    return this.#connections().has(connectionId);
  }

  /** A connection is being set up. */
  expect({ id }: Connection): void {
    this.#arriving.add(id);
    this.#open?.delete(id);
  }

  join(connection: Connection): void {
    this.#arriving.delete(connection.id);
    this.#connections().set(connection.id, connection);
  }

  leave({ id }: Connection): void {
    this.#connections().delete(id);
    this.#arriving.delete(id);
    this.#held.delete(id);
  }

  /** Keep what is live of this answer from the connection until it has what was. */
  hold({ id }: Connection, turnId: string): void {
    this.#held.set(id, turnId);
  }

  isHeld({ id }: Connection, turnId: string): boolean {
    return this.#held.get(id) === turnId;
  }

  release({ id }: Connection, turnId: string): void {
    if (this.#held.get(id) === turnId) this.#held.delete(id);
  }

  /** To everybody, also to those who are held. */
  tell(frame: string, except?: string): void {
    for (const connection of this.#connections().values()) if (connection.id !== except) this.send(connection, frame);
  }

  /** To everybody who follows what is live of this turn. */
  stream(frame: string, turnId: string): void {
    for (const connection of this.#connections().values()) {
      if (this.#held.get(connection.id) !== turnId) this.send(connection, frame);
    }
  }

  /** One that is gone is not told: its close comes, or it came. */
  send(connection: Connection, frame: string): void {
    try {
      connection.send(frame);
    } catch {
      this.leave(connection);
    }
  }

  #connections(): Map<string, Connection> {
    this.#open ??= new Map(
      [...this.#host.getConnections()]
        .filter(({ id }) => !this.#arriving.has(id))
        .map((connection) => [connection.id, connection]),
    );
    return this.#open;
  }
}
