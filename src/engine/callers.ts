import type { TurnRun } from "./ports.ts";

type Waiting = {
  readonly resolve: (run: TurnRun) => void;
  /** Waits only for the turn: the caller is a response hook, which its own turn's hook would have to wait for. */
  readonly beforeHook: boolean;
  /** The caller's own: who gave up does not wait for a hook. */
  readonly signal: AbortSignal | undefined;
};

/** Callers who wait, in memory, for the end of their own turn. */
export class Callers {
  readonly #waiting = new Map<string, Waiting>();

  /** Resolves when the turn has ended, its attempt has wound down and the response hook has returned. */
  wait(turnId: string, beforeHook: boolean, signal?: AbortSignal): Promise<TurnRun> {
    return new Promise((resolve) => this.#waiting.set(turnId, { resolve, beforeHook, signal }));
  }

  /** The turn has ended and left the lane. */
  turnEnded(turnId: string, run: TurnRun): void {
    const waiting = this.#waiting.get(turnId);
    if (waiting?.beforeHook) this.release(turnId, run);
    else if (waiting?.signal) this.#releaseOnAbort(waiting.signal, turnId, run, waiting);
  }

  #releaseOnAbort(signal: AbortSignal, turnId: string, run: TurnRun, waiting: Waiting): void {
    const release = (): void => this.release(turnId, run);
    if (signal.aborted) return release();
    signal.addEventListener("abort", release, { once: true });
    this.#waiting.set(turnId, {
      ...waiting,
      resolve: (end) => {
        // One signal may serve many turns: it holds on to none of them.
        signal.removeEventListener("abort", release);
        waiting.resolve(end);
      },
    });
  }

  /** Nothing more is to come for this turn. */
  release(turnId: string, run: TurnRun = {}): void {
    this.#waiting.get(turnId)?.resolve(run);
    this.#waiting.delete(turnId);
  }
}
