import type { EventData, ThinkEvent } from "../events/index.ts";
import type { Decision } from "./decision.ts";
import { notificationFor } from "./notification-for.ts";
import { byClaimHolder, type LostClaim } from "./running.ts";
import type { Turn, TurnState } from "./turn-state.ts";

/** How the run of a turn ended; `output` is the digest of its structured output. No run says `skipped` yet. */
export type Outcome =
  | { readonly status: "completed"; readonly output?: string }
  | { readonly status: "error"; readonly error: string }
  | { readonly status: "aborted"; readonly error?: string }
  | { readonly status: "skipped"; readonly error: string };

/** The run of a claimed turn is over: its last steps, its assistant message and its outcome are one commit. */
export type Settle = {
  readonly epoch: number;
  readonly outcome: Outcome;
  /** The assistant message stored in the same commit. */
  readonly messageId?: string;
  /** Steps not on record yet. */
  readonly steps?: readonly EventData<"StepFinished">[];
};

export const settle = (command: Settle, state: TurnState): Decision<LostClaim> =>
  byClaimHolder(state, command.epoch, (turn) => [
    ...(command.steps ?? []).map((data) => ({ type: "StepFinished", data }) as const),
    terminal(command, turn),
    ...notificationFor(turn),
  ]);

function terminal({ epoch, outcome, messageId }: Settle, turn: Turn): ThinkEvent {
  const ended = {
    epoch,
    ...(turn.startedAt !== undefined && { startedAt: turn.startedAt }),
    ...(messageId !== undefined && { messageId }),
  };
  switch (outcome.status) {
    case "completed":
      return {
        type: "TurnCompleted",
        data: { ...ended, ...(outcome.output !== undefined && { output: outcome.output }) },
      };
    case "error":
      return { type: "TurnFailed", data: { ...ended, error: outcome.error } };
    case "aborted":
      return {
        type: "TurnAborted",
        data: { ...ended, messagesApplied: turn.applied, ...(outcome.error !== undefined && { error: outcome.error }) },
      };
    case "skipped":
      return { type: "TurnSkipped", data: { ...ended, error: outcome.error } };
    default:
      return outcome satisfies never;
  }
}
