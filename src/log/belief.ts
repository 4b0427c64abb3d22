/**
 * May what is held in memory be believed? A commit of ours can be part of a transaction of the caller's own, and roll
 * back with it: nobody tells us. So somebody has to look at the table before memory is used.
 *
 * One look is enough for a microtask, in which nothing awaits; unless we write in it, because what is written can
 * roll back in the same breath.
 */
export class Belief {
  #state: "unknown" | "looked" | "written" = "unknown";

  mustLook(): boolean {
    if (this.#state === "looked") return false;
    if (this.#state === "unknown") {
      this.#state = "looked";
      queueMicrotask(() => {
        this.#state = "unknown";
      });
    }
    return true;
  }

  /** Something was written, after a look. */
  wrote(): void {
    this.#state = "written";
  }
}
