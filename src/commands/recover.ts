import type { ThinkEvent } from "../events/index.ts";
import { type Decision, record, refuse } from "./decision.ts";
import { notificationFor } from "./notification-for.ts";
import type { TurnState } from "./turn-state.ts";

/** A turn is on record as running, but nothing in this object runs it: the object stopped in the middle. */
export type Recover = {
  readonly epoch: number;
  /** Interrupted attempts after which the turn is given up. */
  readonly maxAttempts: number;
  /** Can the run start again from what is on record? Not when its messages came from a caller's function. */
  readonly repeatable: boolean;
  /** The part of the answer that was kept; stored when the turn is given up. */
  readonly messageId?: string;
};

export const INTERRUPTED = "The object stopped while this attempt was running.";

/**
 * Nothing applied: back to the head of the lane. Applied, but no tool has started: tried again, up to a
 * limit that counts claims, so that a turn which kills its object stops by itself. A tool has started:
 * doing it again could do it twice, so the turn fails and says why.
 */
export function recover(command: Recover, state: TurnState): Decision<"not-running" | "stale-epoch"> {
  const { turn } = state;
  if (turn?.status !== "running") return refuse("not-running");
  if (turn.epoch !== command.epoch) return refuse("stale-epoch");

  const interrupted: ThinkEvent = {
    type: "AttemptInterrupted",
    data: { attempt: turn.attempts, epoch: turn.epoch, reason: INTERRUPTED },
  };
  const error = giveUp(command, turn);
  const next: readonly ThinkEvent[] =
    error === undefined
      ? [{ type: "TurnRequeued", data: { reason: INTERRUPTED } }]
      : [
          {
            type: "TurnFailed",
            data: {
              epoch: turn.epoch,
              error,
              ...(turn.startedAt !== undefined && { startedAt: turn.startedAt }),
              ...(command.messageId !== undefined && { messageId: command.messageId }),
            },
          },
          ...notificationFor(turn),
        ];
  return record({ stream: state.stream, expectedVersion: state.version, events: [interrupted, ...next] });
}

function giveUp(command: Recover, turn: NonNullable<TurnState["turn"]>): string | undefined {
  if (turn.toolsStarted) return "Submission was interrupted after messages were applied.";
  if (!turn.applied && !command.repeatable) {
    return "The turn was interrupted before its input function had produced the messages.";
  }
  if (turn.attempts >= command.maxAttempts) return `The turn was interrupted ${turn.attempts} times and given up.`;
  return undefined;
}
