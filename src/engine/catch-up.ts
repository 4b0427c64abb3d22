import type { UIMessage } from "ai";
import type { Turn } from "../commands/index.ts";
import { react } from "../effects/index.ts";
import type { KnownEvent } from "../events/index.ts";
import type { ChatResponseResult } from "../types.ts";
import type { Announcer } from "./announcer.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { endedByReset } from "./ended-by-reset.ts";
import type { Missed } from "./missed-events.ts";
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
    const status = ENDED[event.type];
    if (!status || turn.attempts === 0 || endedByReset(store, turn, event.position)) continue;
    responses.tellLate(event.position, await response(event, turn, status, readMessage));
  }
}

type Status = ChatResponseResult["status"];

const ENDED: Partial<Record<KnownEvent["type"], Status>> = {
  TurnCompleted: "completed",
  TurnFailed: "error",
  TurnAborted: "aborted",
};

async function response(
  { position }: KnownEvent,
  { submitted, messageId, error }: Turn,
  status: Status,
  readMessage: ReadMessage,
): Promise<ChatResponseResult> {
  const stored = messageId === undefined ? undefined : await readMessage(messageId);
  return {
    message: stored ?? { id: `${submitted.turnId}:${position}`, role: "assistant", parts: [] },
    requestId: submitted.turnId,
    continuation: submitted.continuation ?? false,
    status,
    ...(error !== undefined && { error }),
    recovered: true,
  };
}
