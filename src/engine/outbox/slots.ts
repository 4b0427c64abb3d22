/**
 * Lets so many tasks run at a time. One that takes long gives its slot away: it goes on, but those behind it
 * do not wait for it.
 */
export class Slots {
  #free: number;
  readonly #holdMs: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number, holdMs: number) {
    this.#free = count;
    this.#holdMs = holdMs;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let held = true;
    const giveBack = (): void => {
      if (!held) return;
      held = false;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
    const tooLong = setTimeout(giveBack, this.#holdMs);
    try {
      return await task();
    } finally {
      clearTimeout(tooLong);
      giveBack();
    }
  }
}
