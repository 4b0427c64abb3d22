import { report } from "../engine/console.ts";
import { messageOf } from "../engine/message-of.ts";
import type { ChatErrorClassification, ChatErrorContext } from "./hook-types.ts";
import type { TurnPorts } from "./ports.ts";

/** Ask the subclass what kind of error it is; `undefined` when it does not say. */
export function classify(
  ports: Pick<TurnPorts, "hooks">,
  error: unknown,
  context: ChatErrorContext,
): ChatErrorClassification | undefined {
  try {
    return ports.hooks.classifyChatError(error, context) ?? undefined;
  } catch (thrown) {
    report("classifyChatError threw; the error counts as unknown", thrown);
    return "unknown";
  }
}

/**
 * The one way in which a failed turn is told: the subclass may put the error in other words, the
 * observability channel hears of it, and the words are what the outcome says.
 *
 * @returns The error to hand to a caller who waits.
 */
export function surface(
  ports: Pick<TurnPorts, "hooks" | "telemetry">,
  error: unknown,
  context: ChatErrorContext,
): unknown {
  const surfaced = inOtherWords(ports, error, context) ?? error;
  ports.telemetry.emit("chat:request:failed", {
    requestId: context.requestId,
    stage: context.stage,
    messagesPersisted: context.messagesPersisted,
    error: messageOf(surfaced),
  });
  return surfaced;
}

/** `undefined` when the subclass has nothing to say, or no way to say it in time. */
function inOtherWords({ hooks }: Pick<TurnPorts, "hooks">, error: unknown, context: ChatErrorContext): unknown {
  try {
    const said = hooks.onChatError(error, context);
    if (!(said instanceof Promise)) return said;
    said.catch(() => {});
    report("onChatError returned a promise, but it is not awaited; the error is passed on as it was", error);
  } catch (thrown) {
    report("onChatError threw; the error is passed on as it was", thrown);
  }
  return undefined;
}
