import { replayNotification, resendNotification } from "../../commands/index.ts";
import { notificationIdOf, turnStream } from "../../events/index.ts";
import type { Cause } from "../cause.ts";
import type { Dispatcher } from "../dispatcher.ts";
import type { Store } from "../store.ts";
import { turnAsEnded } from "./outcome.ts";

type Parts = {
  readonly store: Store;
  readonly dispatcher: Dispatcher;
  readonly outbox: { readonly settled: (notificationId: string) => Promise<void> };
};

export type Resent = "notifies" | "notifies-nobody" | "deleted";

/**
 * A workflow asks again for the outcome of a prompt. One that has not ended is answered at its end; one that is being
 * delivered may be meant for the step's earlier life, and is sent again when that is on record.
 *
 * @returns `notifies-nobody`: the turn was not submitted for a workflow; `deleted`: it was deleted meanwhile.
 */
export async function resend(
  { store, dispatcher, outbox }: Parts,
  submissionId: string,
  cause: Cause,
): Promise<Resent> {
  const stream = turnStream(submissionId);
  const ordinal = store.log.stream(stream)?.ordinal ?? 0;
  const notificationId = notificationIdOf(stream, ordinal);
  const before = store.turn(stream).turn;
  await outbox.settled(notificationId);
  if (before && !store.turn(stream).turn) return "deleted";
  const { version } = store.turn(stream);
  const turn = turnAsEnded(store, stream, ordinal);
  const due = store.projections.outbox.load(notificationId) !== undefined;
  const decision = resendNotification({ stream, version, turn, due });
  if (decision.kind === "record") await dispatcher.record(decision.appends, cause).effects;
  return turn === undefined || turn.submitted.origin !== undefined ? "notifies" : "notifies-nobody";
}

/** Put back what was given up; returns how many were. */
export async function replay(
  { store, dispatcher }: Omit<Parts, "outbox">,
  notificationIds: readonly string[],
  cause: Cause,
): Promise<number> {
  let count = 0;
  for (const id of new Set(notificationIds)) {
    const parked = store.projections.parked.load(id);
    const stream = turnStream(parked?.turnId ?? "");
    const decision = replayNotification({ stream, version: parked ? store.turn(stream).version : 0, parked });
    if (decision.kind === "refuse") continue;
    await dispatcher.record(decision.appends, cause).effects;
    count += 1;
  }
  return count;
}
