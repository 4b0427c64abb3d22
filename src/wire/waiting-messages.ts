import type { UIMessage } from "ai";
import { turnStream } from "../events/index.ts";
import type { Store } from "../engine/store.ts";
import { parseStoredMessages } from "../input/messages.ts";

/** The messages that a turn will bring into the conversation. */
export function waitingMessages(store: Store, turnId: string): readonly UIMessage[] {
  const { payload } = store.turn(turnStream(turnId)).turn?.submitted ?? {};
  const text = payload === undefined ? undefined : store.payloads.get(payload);
  const parsed = text === undefined ? undefined : parseStoredMessages(text);
  return parsed && "messages" in parsed ? parsed.messages : [];
}
