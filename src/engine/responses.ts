import type { ChatResponseResult } from "../types.ts";
import type { Follower } from "./follower.ts";
import { responseHookScope } from "./hook-scope.ts";
import type { ResponseHook } from "./ports.ts";

/**
 * Tells the response hook of finished turns, one after the other, each at least once. It runs after the
 * turn has left the lane, so that a hook may start the next turn.
 */
export class Responses {
  readonly #hook: ResponseHook;
  readonly #follower: Follower;
  /** Turns whose end is on record, and that have not left the lane yet. */
  readonly #ended = new Map<string, { readonly position: number; readonly returned: () => void }>();
  #last: Promise<void> = Promise.resolve();

  constructor(hook: ResponseHook, follower: Follower) {
    this.#hook = hook;
    this.#follower = follower;
  }

  /** The end of a turn is on record: from now on the hook counts as behind, until it was told or is not to be. */
  ended(turnId: string, position: number): void {
    if (this.#hook) this.#ended.set(turnId, { position, returned: this.#follower.begin(position) });
  }

  /**
   * Tell of a turn that has left the lane. One is told of once, however it came to leave.
   *
   * @param response - What is told, given where the end is in the log; nothing when the hook is not to hear of it.
   * @returns Resolves when the hook has returned; `undefined` when it is not called.
   */
  tell(turnId: string, response: (position: number) => ChatResponseResult | undefined): Promise<void> | undefined {
    const end = this.#ended.get(turnId);
    if (!end) return undefined;
    this.#ended.delete(turnId);
    const told = response(end.position);
    if (told) return this.#call(told, end.returned);
    end.returned();
    return undefined;
  }

  /** Tell late of an end that an earlier life put on record. */
  tellLate(position: number, response: ChatResponseResult): void {
    void this.#call(response, this.#follower.begin(position));
  }

  #call(response: ChatResponseResult, returned: () => void): Promise<void> {
    this.#last = this.#last
      .then(() => responseHookScope.run(`request ${response.requestId}`, () => this.#hook?.(response)))
      .finally(returned);
    return this.#last;
  }
}
