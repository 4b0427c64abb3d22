import type { TurnRun } from "./ports.ts";

type Waiting = {
  readonly resolve: (run: TurnRun) => void;
  /** Waits only for the turn: the caller is a response hook, which its own turn's hook would have to wait for. */
  readonly beforeHook: boolean;
};

/** Callers who wait, in memory, for the end of their own turn. */
export class Callers {
  readonly #waiting = new Map<string, Waiting>();

  /** Resolves when the turn has ended, its attempt has wound down and the response hook has returned. */
  wait(turnId: string, beforeHook: boolean): Promise<TurnRun> {
    return new Promise((resolve) => this.#waiting.set(turnId, { resolve, beforeHook }));
  }

  /** The turn has ended and left the lane. */
  turnEnded(turnId: string, run: TurnRun): void {
    if (this.#waiting.get(turnId)?.beforeHook) this.release(turnId, run);
  }

  /** Nothing more is to come for this turn. */
  release(turnId: string, run: TurnRun = {}): void {
    this.#waiting.get(turnId)?.resolve(run);
    this.#waiting.delete(turnId);
  }
}
