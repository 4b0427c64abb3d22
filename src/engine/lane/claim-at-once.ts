import { claim, submittedTurn } from "../../commands/index.ts";
import { type Append, type EventData, turnStream } from "../../events/index.ts";
import { type Cause, ENGINE } from "../cause.ts";
import type { Recorded } from "../dispatcher.ts";
import { isPlatformFailure } from "../platform-failure.ts";
import type { ClaimedTurn } from "../ports.ts";
import { writeAlongside } from "../write-alongside.ts";
import type { HeadParts } from "./head.ts";
import { inputOf } from "./turn-inputs.ts";

type ClaimParts = Pick<HeadParts, "store" | "dispatcher" | "conversation" | "inputs">;

/** A turn that is about to be accepted. */
type Admission = {
  readonly turn: EventData<"TurnSubmitted">;
  /** What the decider said: the turn's stream opens. */
  readonly appends: readonly Append[];
  readonly cause: Cause;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The submitted messages as they are stored; absent when the turn brings none, or makes them later. */
  readonly content: string | undefined;
  /** Write the payloads, in the same commit. */
  readonly write: () => void;
};

/**
 * Accept a turn and claim it in one commit, for a lane at rest: the same events as one after the other, with each
 * row of the read models written once. Nothing awaits, so nobody comes in between.
 *
 * @returns `undefined` when this turn has to take the way of all others, because a message of it is known already
 *   or cannot be stored; nothing is written then.
 */
export function claimAtOnce(
  { store, dispatcher, conversation, inputs }: ClaimParts,
  admission: Admission,
): { readonly claimed: ClaimedTurn; readonly recorded: Recorded } | undefined {
  if (!conversation.isReady() || admission.turn.branchFrom !== undefined) return undefined;
  const { turn, content, now } = admission;
  const stream = turnStream(turn.turnId);
  const position = store.log.head().position + 1;
  const waiting = submittedTurn({ data: turn, position, at: now });
  const input = content === undefined ? inputs.read(waiting) : inputOf(content);
  if (input.kind === "unreadable") return undefined;

  const messages = input.kind === "messages" ? input.messages : [];
  const parentId = conversation.leafId();
  const decision = claim(
    {
      generation: store.lane().generation,
      laneBusy: false,
      parentId,
      ...(input.kind === "messages" && { messageIds: messages.map(({ id }) => id) }),
    },
    { stream, version: 1, turn: waiting },
  );
  if (decision.kind === "refuse") return undefined;
  const cause = { actor: ENGINE, causationId: `event:${position}` };
  const appends = [...admission.appends, ...decision.appends.map((append) => ({ ...append, cause }))];

  const recorded = unlessRefused(() => {
    let made: Recorded | undefined;
    writeAlongside(conversation, messages, parentId, (alongside) => {
      const write = (): void => {
        admission.write();
        if (!alongside.write()) throw new Error("A message of the turn is known already");
      };
      made = dispatcher.record(appends, admission.cause, write, alongside.committed);
      return true;
    });
    return made;
  });
  const claimed = recorded && store.justWritten(stream).turn;
  if (!claimed) return undefined;
  return {
    recorded,
    claimed: { turnId: turn.turnId, epoch: claimed.epoch, turn: claimed, input, held: inputs.held(turn.turnId) },
  };
}

/** What cannot be written in one commit is tried in two, where a fault of the turn's own becomes its end. */
function unlessRefused<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    if (isPlatformFailure(error)) throw error;
    return undefined;
  }
}
