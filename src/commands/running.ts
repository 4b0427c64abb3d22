import { type Decision, record, refuse } from "./decision.ts";
import type { ThinkEvent } from "../events/index.ts";
import type { Turn, TurnState } from "./turn-state.ts";

/** Why a running turn's own record was refused: somebody else ended it, or a later claim owns it. */
export type LostClaim = "not-running" | "stale-epoch";

/**
 * The gate of every record that a running turn makes about itself: only the present claim may speak.
 * A late worker is refused here, at append, not hidden by a projection later.
 */
export function byClaimHolder(
  state: TurnState,
  epoch: number,
  events: (turn: Turn) => readonly ThinkEvent[],
): Decision<LostClaim> {
  const { turn } = state;
  if (turn?.status !== "running") return refuse("not-running");
  if (turn.epoch !== epoch) return refuse("stale-epoch");
  const recorded = events(turn);
  return recorded.length === 0
    ? record()
    : record({ stream: state.stream, expectedVersion: state.version, events: recorded });
}
