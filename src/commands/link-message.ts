import { type Decision, record, refuse } from "./decision.ts";
import type { TurnState } from "./turn-state.ts";

/** The partial answer of a turn that was aborted while it streamed: stored late, linked once. */
export type LinkMessage = { readonly epoch: number; readonly messageId: string };

export type LinkRefusal = "not-aborted" | "stale-epoch" | "already-linked";

export function linkMessage(command: LinkMessage, state: TurnState): Decision<LinkRefusal> {
  const { turn } = state;
  if (turn?.status !== "aborted") return refuse("not-aborted");
  if (turn.epoch !== command.epoch) return refuse("stale-epoch");
  if (turn.messageId !== undefined) return refuse("already-linked");
  return record({
    stream: state.stream,
    expectedVersion: state.version,
    events: [{ type: "MessageLinked", data: command }],
  });
}
