import { cancel } from "../commands/index.ts";
import { turnStream } from "../events/index.ts";
import type { Cause } from "./cause.ts";
import type { Engine } from "./engine.ts";

/** End one turn, waiting or running, whatever started it. Unknown and ended ones stay as they are. */
export function cancelTurn(engine: Engine, requestId: string, error: string | undefined, cause: Cause): void {
  const state = engine.store.turn(turnStream(requestId));
  const decision = cancel(error === undefined ? {} : { error }, state);
  if (decision.kind === "record") engine.dispatcher.record(decision.appends, cause);
}

/** End the turn that runs; those that wait stay. */
export function cancelRunning(engine: Engine, cause: Cause): void {
  const { running } = engine.queue.head();
  if (running) cancelTurn(engine, running.turnId, undefined, cause);
}
