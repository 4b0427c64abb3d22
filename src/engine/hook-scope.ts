import { AsyncLocalStorage } from "node:async_hooks";
import { report } from "./console.ts";
import { settledWithin } from "./settled-within.ts";

/** Who waits for a hook goes on without it after this time. */
const HOOK_LIMIT_MS = 60_000;

/** Calls of one hook of the subclass: what it throws is reported, and nobody waits for it for ever. */
export class HookScope {
  readonly #name: string;
  readonly #limitMs: number;
  readonly #calls = new AsyncLocalStorage<{ running: boolean }>();

  constructor(name: string, limitMs = HOOK_LIMIT_MS) {
    this.#name = name;
    this.#limitMs = limitMs;
  }

  /** Is this code called from the hook, before it has returned? To wait for the hook there is to wait for oneself. */
  isInside(): boolean {
    return this.#calls.getStore()?.running === true;
  }

  /** Resolves when the hook has returned, or thrown, or taken too long. */
  async run(subject: string, hook: () => void | Promise<void>): Promise<void> {
    const call = { running: true };
    const returned = this.#calls
      .run(call, async () => hook())
      .finally(() => {
        call.running = false;
      });
    try {
      if (await settledWithin(returned, this.#limitMs)) return;
      report(`${this.#name} has not returned for ${subject} after ${this.#limitMs} ms; nobody waits for it any more`);
      returned.catch((error: unknown) => report(`${this.#name} threw for ${subject}`, error));
    } catch (error) {
      report(`${this.#name} threw for ${subject}`, error);
    }
  }
}

export const statusHookScope = new HookScope("onSubmissionStatus");
export const responseHookScope = new HookScope("onChatResponse");
