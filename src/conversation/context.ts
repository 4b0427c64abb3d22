import {
  AgentContextProvider,
  type ContextBlocks,
  type ContextConfig,
  type SqlProvider,
  type WritableContextProvider,
} from "agents/context";
import type { ToolSet } from "ai";
import { DEFAULT_SYSTEM_PROMPT } from "./default-prompt.ts";
import type { Degradations } from "./degradations.ts";
import { GuardedBlocks } from "./guarded-blocks.ts";
import type { ConversationContext } from "./ports.ts";
import { PromptStore } from "./prompt-store.ts";

const STEP = "context-blocks";

/** The context blocks of an agent, over `agents/context`: what goes into its prompt and how the model writes it. */
export class AgentContext implements ConversationContext {
  readonly #agent: SqlProvider;
  readonly #degradations: Degradations;
  /** Blocks whose provider has given nothing yet. */
  readonly #missing = new Set<string>();
  #blocks: GuardedBlocks | undefined;
  #store: PromptStore | undefined;

  constructor(agent: SqlProvider, degradations: Degradations) {
    this.#agent = agent;
    this.#degradations = degradations;
  }

  /** @throws before the start. */
  get blocks(): ContextBlocks {
    if (!this.#blocks) throw new Error("Context is not initialized yet; it is available after onStart().");
    return this.#blocks;
  }

  /** Build the declared blocks and load them. */
  async start(declared: readonly ContextConfig[], promptStore: WritableContextProvider | undefined): Promise<void> {
    const inStorage = (label: string) => new AgentContextProvider(this.#agent, label);
    const failed = (error: unknown) => this.#degradations.add(STEP, error);
    const store = new PromptStore(
      promptStore ?? inStorage("_system_prompt"),
      () => this.#missing.size === 0,
      (error) => failed(error),
    );
    const blocks: GuardedBlocks = new GuardedBlocks(this.#distinct(declared), store, inStorage, {
      unreadable: (label, error, stale) => {
        if (!stale) this.#missing.add(label);
        failed(error);
      },
      readable: (label) => {
        if (this.#missing.delete(label) && this.#missing.size === 0) this.#degradations.mended(STEP);
      },
      unwritable: () => blocks.load(),
    });
    await blocks.load();
    this.#store = store;
    this.#blocks = blocks;
  }

  async systemText(base: string | undefined): Promise<string> {
    const frozen = await this.#frozen();
    if (base === undefined) return frozen || DEFAULT_SYSTEM_PROMPT;
    return base && frozen ? `${base}\n\n${frozen}` : base || frozen;
  }

  tools(): Promise<ToolSet> {
    return this.#attempt((blocks) => blocks.tools(), {});
  }

  async reminder(): Promise<string | undefined> {
    return (await this.#attempt((blocks) => blocks.reminder(), null)) ?? undefined;
  }

  /** Render the prompt anew: the prefix that a provider has cached is lost anyway. */
  async refresh(): Promise<void> {
    await this.#attempt((blocks) => blocks.refreshSystemPrompt(), "");
  }

  async #frozen(): Promise<string> {
    if (this.#store?.owesPrompt) await this.refresh();
    return this.#attempt((blocks) => blocks.freezeSystemPrompt(), "");
  }

  /** Without blocks there is nothing to render, read or store. */
  async #attempt<T>(use: (blocks: GuardedBlocks) => Promise<T>, otherwise: T): Promise<T> {
    if (!this.#blocks || this.#blocks.getBlocks().length === 0) return otherwise;
    try {
      return await use(this.#blocks);
    } catch (error) {
      this.#degradations.add(STEP, error);
      return otherwise;
    }
  }

  #distinct(declared: readonly ContextConfig[]): ContextConfig[] {
    const labels = new Set<string>();
    return declared.filter(({ label }) => {
      if (labels.has(label)) this.#degradations.add(STEP, new Error(`Block "${label}" already exists`));
      return !labels.has(label) && labels.add(label);
    });
  }
}
