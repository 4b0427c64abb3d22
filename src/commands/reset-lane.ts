import { type Append, LANE_STREAM } from "../events/index.ts";
import { type Decision, record } from "./decision.ts";
import { cancel } from "./cancel.ts";
import { skip } from "./skip.ts";
import type { TurnState } from "./turn-state.ts";

/** Reset or clear: what waits is skipped, what runs is aborted, and neither can come back. */
export type ResetLane = {
  /** Stored as the reason of the reset. */
  readonly reason: string;
  /** Stored on each turn that was waiting. */
  readonly skipped: string;
  /** Stored on the turn that was running. */
  readonly aborted: string;
};

export type LaneState = {
  readonly version: number;
  readonly generation: number;
  /** Every turn of the lane that is not terminal, in order. */
  readonly live: readonly TurnState[];
};

export function resetLane(command: ResetLane, state: LaneState): Decision {
  const reset: Append = {
    stream: LANE_STREAM,
    expectedVersion: state.version,
    events: [{ type: "LaneReset", data: { generation: state.generation + 1, reason: command.reason } }],
  };
  const turns = state.live.flatMap((turn) => {
    const decision =
      turn.turn?.status === "running"
        ? cancel({ error: command.aborted }, turn)
        : skip({ error: command.skipped }, turn);
    return decision.kind === "record" ? decision.appends : [];
  });
  return record(reset, ...turns);
}
