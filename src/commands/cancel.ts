import { type Decision, record, refuse } from "./decision.ts";
import { notificationFor } from "./notification-for.ts";
import { isTerminal, type TurnState } from "./turn-state.ts";

/** Somebody outside the turn wants it to end. On record at once; the running attempt hears of it afterwards. */
export type Cancel = {
  readonly error?: string;
  /** The messages of a turn that waits enter the conversation in this commit. */
  readonly appliesMessages?: boolean;
};

export type CancelRefusal = "not-found" | "already-terminal";

export function cancel(command: Cancel, state: TurnState): Decision<CancelRefusal> {
  const { turn } = state;
  if (!turn) return refuse("not-found");
  if (isTerminal(turn.status)) return refuse("already-terminal");
  const data = {
    messagesApplied: turn.applied || command.appliesMessages === true,
    ...(turn.status === "running" && { epoch: turn.epoch }),
    ...(turn.startedAt !== undefined && { startedAt: turn.startedAt }),
    ...(command.error !== undefined && { error: command.error }),
  };
  return record({
    stream: state.stream,
    expectedVersion: state.version,
    events: [{ type: "TurnAborted", data }, ...notificationFor(turn)],
  });
}
