import type { WritableContextProvider } from "agents/context";

/**
 * Where the frozen prompt is kept. A prompt that lacks a block, because its provider failed, is not kept: it
 * would be the prompt for ever. A store that fails costs the cached prefix and nothing else.
 */
export class PromptStore implements WritableContextProvider {
  readonly #store: WritableContextProvider;
  readonly #isComplete: () => boolean;
  readonly #failed: (error: unknown) => void;
  /** The last prompt was not kept. */
  owesPrompt = false;

  constructor(store: WritableContextProvider, isComplete: () => boolean, failed: (error: unknown) => void) {
    this.#store = store;
    this.#isComplete = isComplete;
    this.#failed = failed;
  }

  async get(): Promise<string | null> {
    try {
      return await this.#store.get();
    } catch (error) {
      this.#failed(error);
      return null;
    }
  }

  async set(prompt: string): Promise<void> {
    this.owesPrompt = !this.#isComplete();
    if (this.owesPrompt) return;
    try {
      await this.#store.set(prompt);
    } catch (error) {
      this.#failed(error);
    }
  }
}
