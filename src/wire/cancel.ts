import { cancel } from "../commands/index.ts";
import { turnStream } from "../events/index.ts";
import { cancelTurn } from "../engine/cancel-turns.ts";
import type { Cause } from "../engine/cause.ts";
import { writeAlongside } from "../engine/write-alongside.ts";
import { waitingMessages } from "./waiting-messages.ts";
import type { WireParts } from "./parts.ts";

/** A client ends a request. One that waits has been asked nevertheless: its messages stay in the conversation. */
export async function cancelForClient(parts: WireParts, requestId: string, cause: Cause): Promise<void> {
  const { engine, conversation } = parts;
  const isWaiting = (): boolean => {
    const { turn } = engine.store.turn(turnStream(requestId));
    return turn?.status === "pending" && turn.submitted.trigger === "ws-chat" && !turn.applied;
  };
  if (!isWaiting()) return cancelTurn(engine, requestId, undefined, cause);
  const { fresh } = await conversation.compare(waitingMessages(engine.store, requestId));
  if (!isWaiting()) return cancelTurn(engine, requestId, undefined, cause);
  const decision = cancel({ appliesMessages: true }, engine.store.turn(turnStream(requestId)));
  if (decision.kind === "refuse") return;
  writeAlongside(conversation, fresh, conversation.leafId(), ({ write, committed }) => {
    engine.dispatcher.record(decision.appends, cause, write, committed);
    return true;
  });
}
