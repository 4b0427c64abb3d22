import type { Decision } from "./decision.ts";
import { byClaimHolder, type LostClaim } from "./running.ts";
import type { TurnState } from "./turn-state.ts";

/** The messages that a function made at the head of the lane enter the conversation. */
export type ApplyMessages = {
  readonly epoch: number;
  readonly messageIds: readonly string[];
  readonly parentId: string | null;
};

export const applyMessages = (command: ApplyMessages, state: TurnState): Decision<LostClaim> =>
  byClaimHolder(state, command.epoch, (turn) =>
    turn.applied ? [] : [{ type: "MessagesApplied", data: { ...command, messageIds: [...command.messageIds] } }],
  );
