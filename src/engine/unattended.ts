import { turnStream } from "../events/index.ts";
import type { ChatResponseResult } from "../types.ts";
import { endedByReset } from "./ended-by-reset.ts";
import { responseOf } from "./response-of.ts";
import type { Store } from "./store.ts";

/**
 * What the response hook hears of a turn that was begun, and ended without an attempt at work: given up after a
 * crash, cancelled before it was taken up again, or at fault at the head of the lane. There is no answer.
 *
 * @param position - Where its end is in the log.
 */
export function unattended(store: Store, turnId: string, position: number): ChatResponseResult | undefined {
  const { turn } = store.turn(turnStream(turnId));
  if (!turn || turn.attempts === 0 || (turn.status !== "error" && turn.status !== "aborted")) return undefined;
  if (endedByReset(store, turn, position)) return undefined;
  return responseOf(turn, turn.status, position);
}
