import type { UIMessage } from "ai";
import { react } from "../effects/index.ts";
import { END_STATUS, type KnownEvent } from "../events/index.ts";
import type { ChatResponseResult } from "../types.ts";
import type { Announcer } from "./announcer.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { endedByReset } from "./ended-by-reset.ts";
import type { Missed } from "./missed-events.ts";
import { responseOf } from "./response-of.ts";
import type { Responses } from "./responses.ts";
import type { Store } from "./store.ts";

/** Tell the status hook what it may have missed, each change as it was then. */
export function catchUpStatus(missed: Iterable<Missed>, announcer: Announcer, dispatcher: Dispatcher): void {
  for (const { event, turn } of missed) {
    if (!react(event, turn).some((effect) => effect.kind === "announce")) continue;
    void announcer.announce({ position: event.position, submission: dispatcher.inspect(turn) });
  }
}

type ReadMessage = (id: string) => Promise<UIMessage | undefined>;

/** Tell the response hook of turns whose end it may have missed. */
export async function catchUpResponses(
  missed: Iterable<Missed>,
  responses: Responses,
  store: Store,
  readMessage: ReadMessage,
): Promise<void> {
  for (const { event, turn } of missed) {
    const status = statusOf(event);
    if (!status || turn.attempts === 0 || endedByReset(store, turn, event.position)) continue;
    const message = turn.messageId === undefined ? undefined : await readMessage(turn.messageId);
    responses.tellLate(event.position, { ...responseOf(turn, status, event.position, message), recovered: true });
  }
}

/** How the turn ended, if it did so with this event. The hook does not hear of a skipped one. */
function statusOf({ type }: KnownEvent): ChatResponseResult["status"] | undefined {
  return type === "TurnCompleted" || type === "TurnFailed" || type === "TurnAborted" ? END_STATUS[type] : undefined;
}
