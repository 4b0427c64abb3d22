import { report } from "../engine/console.ts";
import { isBudget, type Window } from "./read-window.ts";

/** Tells, each time it changes, that the memory holds only the newest part of the conversation. */
export class HydrationReport {
  readonly #emit: (type: string, payload: Record<string, unknown>) => void;
  #told: string | undefined;
  #warned = false;

  constructor(emit: (type: string, payload: Record<string, unknown>) => void) {
    this.#emit = emit;
  }

  read({ messages, truncated, totalBytes }: Window, budgetBytes: number): void {
    if (!truncated || !isBudget(budgetBytes)) {
      this.#told = undefined;
      return;
    }
    const state = { totalContentBytes: totalBytes, budgetBytes, hydratedMessages: messages.length };
    const told = JSON.stringify(state);
    if (told === this.#told) return;
    this.#told = told;
    this.#emit("chat:hydration:windowed", state);
    if (this.#warned) return;
    this.#warned = true;
    report("The conversation is larger than hydrationByteBudget; only its newest messages are in memory", state);
  }
}
