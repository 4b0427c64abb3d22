import type { Connection } from "agents";

/** What the wire needs of the agent that it serves. */
export type WireHost = { readonly getConnections: () => Iterable<Connection> };

/** The agent's handlers, which the wire comes before. A subclass may have given them as methods or as fields. */
export type WireHandlers = {
  onConnect: (connection: Connection, context: { readonly request: Request }) => void | Promise<void>;
  onMessage: (connection: Connection, message: string | ArrayBuffer | ArrayBufferView) => void | Promise<void>;
  onClose: (connection: Connection, code: number, reason: string, wasClean: boolean) => void | Promise<void>;
  onRequest: (request: Request) => Response | Promise<Response>;
};
