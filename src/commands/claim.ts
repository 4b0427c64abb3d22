import type { ThinkEvent } from "../events/index.ts";
import { type Decision, record, refuse } from "./decision.ts";
import type { TurnState } from "./turn-state.ts";

/** Take the turn at the head of the lane, with the messages it brings into the conversation. */
export type Claim = {
  /** The lane's generation: a turn of an older one never runs. */
  readonly generation: number;
  /** Is another turn of the lane running? */
  readonly laneBusy: boolean;
  /** The message the first of the new ones is attached to. */
  readonly parentId: string | null;
  /** The messages to apply; absent when they are made by a function after the claim. */
  readonly messageIds?: readonly string[];
};

export type ClaimRefusal = "not-pending" | "lane-busy" | "stale-generation";

/** A claim is an attempt, and in the same commit the messages enter the conversation: never one without the other. */
export function claim(command: Claim, state: TurnState): Decision<ClaimRefusal> {
  const { turn } = state;
  if (turn?.status !== "pending") return refuse("not-pending");
  if (turn.submitted.generation < command.generation) return refuse("stale-generation");
  if (command.laneBusy) return refuse("lane-busy");

  // The version this claim will have: it never comes again, not even when the id is deleted and used again.
  const epoch = state.version + 1;
  const claimed: ThinkEvent = { type: "TurnClaimed", data: { attempt: turn.attempts + 1, epoch } };
  const applied: ThinkEvent[] =
    turn.applied || command.messageIds === undefined
      ? []
      : [{ type: "MessagesApplied", data: { epoch, messageIds: [...command.messageIds], parentId: command.parentId } }];
  return record({ stream: state.stream, expectedVersion: state.version, events: [claimed, ...applied] });
}
