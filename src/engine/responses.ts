import { AsyncLocalStorage } from "node:async_hooks";
import type { ChatResponseResult } from "../types.ts";
import { report } from "./console.ts";
import type { Follower } from "./follower.ts";
import type { ResponseHook } from "./ports.ts";

const scope = new AsyncLocalStorage<{ running: boolean }>();

/** Is this code called from a response hook that has not returned? */
export const isInsideResponseHook = (): boolean => scope.getStore()?.running === true;

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
      .then(() => insideHook(() => hook(response)))
      .catch((error: unknown) => report(`onChatResponse threw for request ${response.requestId}`, error))
      .finally(returned);
    return this.#last;
  }
}

async function insideHook(run: () => void | Promise<void>): Promise<void> {
  const hook = { running: true };
  try {
    await scope.run(hook, run);
  } finally {
    hook.running = false;
  }
}
