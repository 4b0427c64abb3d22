import { type Decision, nothing, record, refuse } from "./decision.ts";
import { notificationFor } from "./notification-for.ts";
import { isTerminal, type Turn } from "./turn-state.ts";

/** A turn whose outcome is asked for again. */
export type ResendState = {
  readonly stream: string;
  readonly version: number;
  /** As it ended, also when it has been deleted since. */
  readonly turn: Turn | undefined;
  /** Its notification is to be delivered anyway. */
  readonly due: boolean;
};

/** Send the outcome again: after a delivery, after it was given up, or when there never was one. */
export function resendNotification({ stream, version, turn, due }: ResendState): Decision<"not-ended" | "no-workflow"> {
  if (!turn || !isTerminal(turn.status)) return refuse("not-ended");
  if (due) return nothing;
  const events = notificationFor(turn);
  if (events.length === 0) return refuse("no-workflow");
  return record({ stream, expectedVersion: version, events });
}
