import type { TurnRun } from "./ports.ts";

/** Callers who wait, in memory, for the end of their own blocking turn. */
export class Callers {
  readonly #waiting = new Map<string, (run: TurnRun) => void>();

  /** Resolves when the turn has ended and its attempt, if there was one, has wound down. */
  wait(turnId: string): Promise<TurnRun> {
    return new Promise((resolve) => this.#waiting.set(turnId, resolve));
  }

  release(turnId: string, run: TurnRun = {}): void {
    this.#waiting.get(turnId)?.(run);
    this.#waiting.delete(turnId);
  }
}
