import { type Decision, record, refuse } from "./decision.ts";
import { notificationFor } from "./notification-for.ts";
import type { TurnState } from "./turn-state.ts";

/** A waiting turn will not run: it belongs to an older generation, or a later one supersedes it. */
export type Skip = {
  readonly error: string;
  /** The later turn that runs in its place. */
  readonly supersededBy?: string;
};

/** Stored on turns of a generation that a reset ended. */
export const SKIPPED_BY_RESET = "Submission was skipped by turn reset.";

export function skip(command: Skip, state: TurnState): Decision<"not-pending"> {
  const { turn } = state;
  if (turn?.status !== "pending") return refuse("not-pending");
  return record({
    stream: state.stream,
    expectedVersion: state.version,
    events: [{ type: "TurnSkipped", data: { ...command } }, ...notificationFor(turn)],
  });
}
