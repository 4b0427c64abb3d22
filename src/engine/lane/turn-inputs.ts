import type { ToolSet, UIMessage, UIMessageChunk } from "ai";
import type { Turn } from "../../commands/index.ts";
import { parseStoredMessages } from "../../input/messages.ts";
import type { PayloadStore } from "../../log/index.ts";

/** Makes a turn's messages when its turn has come. */
type MakeMessages = (current: UIMessage[]) => UIMessage[] | Promise<UIMessage[]>;

/** What a turn brings into the conversation when it is claimed. */
export type TurnInput =
  | { readonly kind: "messages"; readonly messages: readonly UIMessage[] }
  /** Made at the head of the lane by the caller's function. */
  | { readonly kind: "function"; readonly make: MakeMessages }
  /** Nothing: it did so in an earlier attempt, or it only adds an answer. */
  | { readonly kind: "nothing" }
  | { readonly kind: "unreadable"; readonly error: string };

/** What only the memory of a waiting caller has. Lost with the object. */
export type HeldInput = {
  readonly make?: MakeMessages;
  /** The caller's own way to stop the turn. */
  readonly signal?: AbortSignal;
  /** Hears every chunk of the answer, one after the other. */
  readonly onChunk?: (chunk: UIMessageChunk) => Promise<void>;
  /** Tools that the caller runs. */
  readonly tools?: ToolSet;
  /** Not claimed before this time, in epoch milliseconds. */
  readonly notBefore?: number;
};

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

  held(turnId: string): HeldInput {
    return this.#held.get(turnId) ?? {};
  }

  forget(turnId: string): void {
    this.#held.delete(turnId);
  }

  /** Could this object start the turn from what is on record? */
  canRead(turn: Turn): boolean {
    return turn.applied || this.read(turn).kind !== "unreadable";
  }

  read({ submitted, applied }: Turn): TurnInput {
    if (applied || submitted.continuation) return { kind: "nothing" };
    if (submitted.branchFrom !== undefined && submitted.payload === undefined) return { kind: "nothing" };
    const { make } = this.held(submitted.turnId);
    if (make) return { kind: "function", make };
    if (submitted.payload === undefined) {
      return { kind: "unreadable", error: "The caller whose function makes this turn's messages is gone." };
    }
    const text = this.#payloads.get(submitted.payload);
    if (text === undefined) return { kind: "unreadable", error: "The submitted messages were erased." };
    return inputOf(text);
  }
}

/** The input of a turn whose messages were stored as this text. */
export function inputOf(text: string): TurnInput {
  const parsed = parseStoredMessages(text);
  return "error" in parsed ? { kind: "unreadable", ...parsed } : { kind: "messages", ...parsed };
}
