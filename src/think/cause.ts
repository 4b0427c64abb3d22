import { getCurrentAgent } from "agents";
import type { Cause } from "../engine/cause.ts";
import { activeTurnOf } from "../turn/turn-scope.ts";

/** Who is calling: a turn of this agent, a connection, or somebody over RPC. */
export function causeOf(agent: object): Cause {
  const causationId = `command:${crypto.randomUUID()}`;
  const turn = activeTurnOf(agent);
  if (turn) return { actor: `turn:${turn.requestId}`, causationId, correlationId: turn.requestId };
  const { connection } = getCurrentAgent();
  return { actor: connection ? `connection:${connection.id}` : "rpc", causationId };
}
