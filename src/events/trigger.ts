import type { EventData } from "./catalogue.ts";

/** Turns that were submitted for later, as opposed to those whose caller waits: only they are in the ledger. */
export const isForLater = ({ trigger }: Pick<EventData<"TurnSubmitted">, "trigger">): boolean =>
  trigger === "submission" || trigger === "scheduled";
