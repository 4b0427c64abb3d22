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
  #last: Promise<void> = Promise.resolve();

  constructor(hook: ResponseHook, follower: Follower) {
    this.#hook = hook;
    this.#follower = follower;
  }

  /** Resolves when the hook has returned; `undefined` when there is none. */
  tell(position: number, response: ChatResponseResult): Promise<void> | undefined {
    const hook = this.#hook;
    if (!hook) return undefined;
    const returned = this.#follower.begin(position);
    this.#last = this.#last
      .then(() => responseHookScope.run(`request ${response.requestId}`, () => hook(response)))
      .finally(returned);
    return this.#last;
  }
}
