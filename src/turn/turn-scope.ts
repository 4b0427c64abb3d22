import { AsyncLocalStorage } from "node:async_hooks";

/** The turn whose code is running: known to everything the turn calls, and over when the turn is. */
export type TurnScope = { readonly requestId: string; readonly agent: object; running: boolean };

const scope = new AsyncLocalStorage<TurnScope>();

/** Run a turn's body so that what it calls can tell which turn it is in. */
export async function insideTurn<T>(agent: object, requestId: string, body: () => Promise<T>): Promise<T> {
  const turn: TurnScope = { requestId, agent, running: true };
  try {
    return await scope.run(turn, body);
  } finally {
    turn.running = false;
  }
}

/** The running turn of this agent that the calling code is part of. Work that outlives its turn is outside. */
export function activeTurnOf(agent: object): TurnScope | undefined {
  const turn = scope.getStore();
  return turn?.running && turn.agent === agent ? turn : undefined;
}
