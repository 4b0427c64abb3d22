import { messageOf } from "../engine/message-of.ts";
import { report } from "../engine/console.ts";

/** A step of the start that failed and was left out, so that the agent can be reached at all. */
export type OnStartDegradation = {
  /** `transcript-hydration`, `context-blocks`, `scheduled-task-reconcile`, `durable-work-recovery`. */
  readonly step: string;
  readonly error: unknown;
};

/** What this life of the agent has to do without. */
export class Degradations {
  readonly #emit: (type: string, payload: Record<string, unknown>) => void;
  #list: OnStartDegradation[] = [];

  constructor(emit: (type: string, payload: Record<string, unknown>) => void) {
    this.#emit = emit;
  }

  list(): readonly OnStartDegradation[] {
    return [...this.#list];
  }

  /** Put a failed step on record. The same step counts once, with its latest error. */
  add(step: string, error: unknown): void {
    const known = this.#list.some((entry) => entry.step === step);
    this.#list = [...this.#list.filter((entry) => entry.step !== step), { step, error }];
    if (known) return;
    report(`The step "${step}" failed; the agent goes on without it`, error);
    this.#emit("chat:onstart:degraded", { step, error: messageOf(error) });
  }

  /** A later attempt at the step succeeded. */
  mended(step: string): void {
    this.#list = this.#list.filter((entry) => entry.step !== step);
  }
}
