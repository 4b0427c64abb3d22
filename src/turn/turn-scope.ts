import { AsyncLocalStorage } from "node:async_hooks";
import type { ActiveTurn } from "../types.ts";
import { type CallChain, chainLink } from "./call-chain.ts";

/** The turn whose code is running. */
type TurnScope = Omit<ActiveTurn, "channel"> & {
  readonly agent: object;
  readonly channel?: string | undefined;
  /** The turns that wait for this one. */
  readonly calledFrom: CallChain;
};

const scope = new AsyncLocalStorage<TurnScope & { running: boolean }>();

/** Run a turn's body so that what it calls can tell which turn it is in. */
export async function insideTurn<T>(turn: TurnScope, body: () => Promise<T>): Promise<T> {
  const entered = { ...turn, running: true };
  try {
    return await scope.run(entered, body);
  } finally {
    entered.running = false;
  }
}

/** The running turn of this agent that the calling code is part of. Work that outlives its turn is outside. */
export function activeTurnOf(agent: object): ActiveTurn | undefined {
  const turn = runningTurnOf(agent);
  if (!turn) return undefined;
  const { requestId, trigger, continuation, channel } = turn;
  return { requestId, trigger, continuation, ...(channel !== undefined && { channel }) };
}

/** The turns that wait for what the calling code asks of another agent: its own and those that wait for it. */
export function callChainOf(agent: object, agentId: string): CallChain {
  const turn = runningTurnOf(agent);
  return turn ? [...turn.calledFrom, chainLink(agentId, turn.requestId)] : [];
}

function runningTurnOf(agent: object): TurnScope | undefined {
  const turn = scope.getStore();
  return turn?.running && turn.agent === agent ? turn : undefined;
}
