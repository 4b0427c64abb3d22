import { isTerminal } from "../commands/index.ts";
import type { ThinkSubmissionInspection } from "../types.ts";
import type { Follower } from "./follower.ts";
import type { StatusHook } from "./ports.ts";
import { statusHookScope } from "./hook-scope.ts";

type Announcement = { readonly position: number; readonly submission: ThinkSubmissionInspection };

/**
 * Tells the status hook of every change, in order for each submission, and then those who wait for a
 * submission's end. One submission's slow hook holds up no other submission.
 */
export class Announcer {
  readonly #hook: StatusHook;
  readonly #follower: Follower;
  readonly #chains = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, ((submission: ThinkSubmissionInspection) => void)[]>();

  constructor(hook: StatusHook, follower: Follower) {
    this.#hook = hook;
    this.#follower = follower;
  }

  /** Resolves when the hook has returned and those who wait for the submission's end have been told. */
  async announce(announcement: Announcement): Promise<void> {
    await this.#callHook(announcement);
    const { submission } = announcement;
    if (!isTerminal(submission.status)) return;
    for (const resolve of this.#waiting.get(submission.submissionId) ?? []) resolve(submission);
    this.#waiting.delete(submission.submissionId);
  }

  /** Resolves with the submission as it ended, once its end has been announced. */
  ended(submissionId: string): Promise<ThinkSubmissionInspection> {
    return new Promise((resolve) => {
      this.#waiting.set(submissionId, [...(this.#waiting.get(submissionId) ?? []), resolve]);
    });
  }

  /** Is the hook being told of this submission, or about to be? */
  isAnnouncing(submissionId: string): boolean {
    return this.#chains.has(submissionId);
  }

  /** Resolves when everything that was announced of the submission so far has been heard. */
  async settled(submissionId: string): Promise<void> {
    await this.#chains.get(submissionId);
  }

  #callHook({ position, submission }: Announcement): Promise<void> | undefined {
    const hook = this.#hook;
    if (!hook) return undefined;
    const id = submission.submissionId;
    const returned = this.#follower.begin(position);
    const told = (this.#chains.get(id) ?? Promise.resolve())
      .then(() => statusHookScope.run(`submission ${id}`, () => hook(submission)))
      .finally(() => {
        returned();
        if (this.#chains.get(id) === told) this.#chains.delete(id);
      });
    this.#chains.set(id, told);
    return told;
  }
}
