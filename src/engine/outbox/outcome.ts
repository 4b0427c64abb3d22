import { evolve, isTerminal, noTurn, type Turn } from "../../commands/index.ts";
import { isKnown } from "../../events/index.ts";
import type { OutcomeOfPrompt } from "../ports.ts";
import type { Store } from "../store.ts";

/** A workflow gets a whole event of at most 1 MiB; the reason of a cancellation can be as long as its caller likes. */
const MAX_ERROR_LENGTH = 10_000;

/**
 * A turn as it ended, also when it has been deleted since; `undefined` when its id has begun another life, whose
 * outcome nobody asked for.
 */
export function turnAsEnded(store: Store, stream: string, ordinal: number): Turn | undefined {
  const now = store.turn(stream).turn;
  if (now) return now.ordinal === ordinal ? now : undefined;
  const life = store.log.readStream(stream).filter(isKnown);
  if (life[0]?.ordinal !== ordinal) return undefined;
  const untilDeleted = life.slice(
    0,
    life.findIndex(({ type }) => type === "TurnDeleted"),
  );
  return untilDeleted.reduce(evolve, noTurn(stream)).turn;
}

const DELETED = "The submission was deleted, and its output with it.";

/** What the workflow hears. Erased content is not told: then it is the status alone. */
export function outcomeOf(turn: Turn, { payloads }: Pick<Store, "payloads">): OutcomeOfPrompt {
  const { status, error, output } = turn;
  if (!isTerminal(status)) throw new Error(`Turn ${turn.submitted.turnId} has not ended`);
  const json = output === undefined ? undefined : payloads.get(output);
  if (output !== undefined && json === undefined) {
    return { submissionId: turn.submitted.turnId, status: "error", error: DELETED };
  }
  return {
    submissionId: turn.submitted.turnId,
    status,
    ...(json !== undefined && { output: JSON.parse(json) as unknown }),
    ...(error !== undefined && { error: shortened(error) }),
  };
}

const shortened = (error: string): string =>
  error.length <= MAX_ERROR_LENGTH ? error : `${error.slice(0, MAX_ERROR_LENGTH).toWellFormed()} …`;
