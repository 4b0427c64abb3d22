import { type LaneState, resetLane, SKIPPED_BY_RESET } from "../commands/index.ts";
import { turnStream } from "../events/index.ts";
import type { QueueQueries } from "../queries/index.ts";
import type { Cause } from "./cause.ts";
import type { Dispatcher, Recorded } from "./dispatcher.ts";
import type { Store } from "./store.ts";

/**
 * End everything the lane holds and begin the next generation, in one commit.
 *
 * @param alongside - Further synchronous writes of it.
 */
export function reset(
  parts: { readonly store: Store; readonly queue: QueueQueries; readonly dispatcher: Dispatcher },
  reason: string,
  cause: Cause,
  alongside?: () => void,
): Recorded {
  const { store, queue, dispatcher } = parts;
  const state: LaneState = {
    ...store.lane(),
    live: queue.all().map((row) => store.turn(turnStream(row.turnId))),
  };
  const decision = resetLane({ reason, skipped: SKIPPED_BY_RESET, aborted: "Turn state reset" }, state);
  if (decision.kind === "refuse") throw new Error("A reset is never refused");
  return dispatcher.record(decision.appends, cause, alongside);
}
