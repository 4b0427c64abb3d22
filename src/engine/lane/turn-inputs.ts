import type { UIMessage } from "ai";
import type { Turn } from "../../commands/index.ts";
import type { PayloadStore } from "../../log/index.ts";
import type { MessagesInput } from "../../types.ts";
import { parseStoredMessages } from "../../input/messages.ts";

type MakeMessages = Exclude<MessagesInput, UIMessage[]>;

/** What a turn brings into the conversation when it is claimed. */
export type TurnInput =
  | { readonly kind: "messages"; readonly messages: readonly UIMessage[] }
  /** Made at the head of the lane by the caller's function. */
  | { readonly kind: "function"; readonly make: MakeMessages }
  /** It did so in an earlier attempt. */
  | { readonly kind: "applied" }
  | { readonly kind: "unreadable"; readonly error: string };

/** What only the memory of a waiting caller has. */
export type HeldInput = { readonly make?: MakeMessages; readonly signal?: AbortSignal };

/** Finds a turn's messages: in the payload store, or with the caller who still waits. */
export class TurnInputs {
  readonly #payloads: PayloadStore;
  readonly #held = new Map<string, HeldInput>();

  constructor(payloads: PayloadStore) {
    this.#payloads = payloads;
  }

  hold(turnId: string, input: HeldInput): void {
    this.#held.set(turnId, input);
  }

  forget(turnId: string): void {
    this.#held.delete(turnId);
  }

  /** The caller's own way to stop the turn. */
  signal(turnId: string): AbortSignal | undefined {
    return this.#held.get(turnId)?.signal;
  }

  /** Could this object start the turn from what is on record? */
  canRead({ submitted, applied }: Turn): boolean {
    return applied || submitted.payload !== undefined || this.#held.get(submitted.turnId)?.make !== undefined;
  }

  read({ submitted, applied }: Turn): TurnInput {
    if (applied) return { kind: "applied" };
    const make = this.#held.get(submitted.turnId)?.make;
    if (make) return { kind: "function", make };
    if (submitted.payload === undefined) {
      return { kind: "unreadable", error: "The caller whose function makes this turn's messages is gone." };
    }
    const text = this.#payloads.get(submitted.payload);
    if (text === undefined) return { kind: "unreadable", error: "The submitted messages were erased." };
    const parsed = parseStoredMessages(text);
    return "error" in parsed ? { kind: "unreadable", ...parsed } : { kind: "messages", ...parsed };
  }
}
