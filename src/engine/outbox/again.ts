import { replayNotification, resendNotification } from "../../commands/index.ts";
import { notificationIdOf, turnStream } from "../../events/index.ts";
import type { Cause } from "../cause.ts";
import type { Dispatcher } from "../dispatcher.ts";
import type { Store } from "../store.ts";
import { turnAsEnded } from "./outcome.ts";

type Parts = { readonly store: Store; readonly dispatcher: Dispatcher };

/** A workflow asks again for the outcome of a prompt. One that has not ended is answered at its end. */
export async function resend({ store, dispatcher }: Parts, submissionId: string, cause: Cause): Promise<void> {
  const stream = turnStream(submissionId);
  const { version } = store.turn(stream);
  const ordinal = store.log.stream(stream)?.ordinal ?? 0;
  const turn = turnAsEnded(store, stream, ordinal);
  const due = store.projections.outbox.load(notificationIdOf(stream, ordinal)) !== undefined;
  const decision = resendNotification({ stream, version, turn, due });
  if (decision.kind === "record") await dispatcher.record(decision.appends, cause).effects;
}

/** Put back what was given up; returns how many were. */
export async function replay(
  { store, dispatcher }: Parts,
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
