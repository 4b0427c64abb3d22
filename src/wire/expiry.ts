import type { UIMessage } from "ai";
import type { EventData } from "../events/index.ts";
import { report } from "../engine/console.ts";
import type { MessagePart } from "./adapter.ts";
import { withOutcome } from "./adapter.ts";
import type { WireNeeds } from "./needs.ts";
import { type IsClientTool, isWaiting, toolCallOf } from "./tool-calls.ts";
import type { TurnLookup } from "./turn-lookup.ts";

type ExpiryParts = Pick<WireNeeds, "parts" | "interactionTimeout" | "interactionAlarm" | "now"> & {
  readonly lookup: TurnLookup;
  readonly clientToolsFor: (message: UIMessage) => IsClientTool;
  /** Store the message with the call ended, and put it on record. */
  readonly expire: (
    message: UIMessage,
    part: MessagePart,
    fact: Omit<EventData<"InteractionExpired">, "messageId">,
  ) => UIMessage;
};

/** Calls that nobody answers end, when the agent says how long they may wait. The wake for that outlives the object. */
export class Expiry {
  readonly #parts: ExpiryParts;

  constructor(parts: ExpiryParts) {
    this.#parts = parts;
  }

  /** When the newest answer's calls have waited long enough; `undefined`: none waits, or it may wait for ever. */
  next(): number | undefined {
    const timeout = this.#parts.interactionTimeout();
    if (timeout === undefined) return undefined;
    const message = this.#parts.parts().conversation.messages().at(-1);
    if (!message || this.#waiting(message).length === 0) return undefined;
    const since = this.#parts.lookup.turnOf(message.id)?.completedAt;
    return since === undefined ? undefined : since + timeout;
  }

  /** Set the alarm right: something began to wait, or was answered. */
  async look(): Promise<void> {
    const alarm = this.#parts.interactionAlarm();
    const [next, set] = [this.next(), alarm.time()];
    if (next === undefined) {
      if (set !== undefined) await alarm.cancel();
    } else if (next !== set) await alarm.set(next);
  }

  lookSoon(): void {
    if (this.#parts.interactionTimeout() === undefined) return;
    this.look().catch((error: unknown) => report("The alarm for calls that wait could not be set", error));
  }

  /** @returns The messages whose calls ended. */
  async rang(): Promise<UIMessage[]> {
    const { parts, now, expire } = this.#parts;
    await parts().conversation.ready();
    const due = this.next();
    if (due === undefined || due > now()) return [];
    let message = parts().conversation.messages().at(-1);
    for (const part of message ? this.#waiting(message) : []) {
      const call = toolCallOf(part);
      if (!message || !call) continue;
      const { toolCallId, toolName } = call;
      const reason = `Nobody answered within ${(this.#parts.interactionTimeout() ?? 0) / 1000} seconds.`;
      const ended = withOutcome(part, toolCallId, { state: "output-error", errorText: reason });
      message = expire(message, ended, { toolCallId, toolName, reason });
    }
    return message ? [message] : [];
  }

  #waiting(message: UIMessage): MessagePart[] {
    if (message.role !== "assistant") return [];
    const isClientTool = this.#parts.clientToolsFor(message);
    return message.parts.filter((part) => {
      const call = toolCallOf(part);
      return call !== undefined && isWaiting(call, isClientTool);
    });
  }
}
