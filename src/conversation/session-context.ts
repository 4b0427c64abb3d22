import type { ContextBlock, ContextBlocks, ContextConfig, WritableContextProvider } from "agents/context";
import type { ToolSet } from "ai";

/** A context block without its label. */
export type SessionContextOptions = Omit<ContextConfig, "label">;

/** What `configureSession` declared: the context is built from it when the hook has returned. */
type DeclaredContext = { readonly blocks: ContextConfig[]; promptStore: WritableContextProvider | undefined };

const OUTSIDE = "is only available inside configureSession(). After startup, add a block with this.context.addBlock().";

/**
 * The context members that sessions had before `this.context` existed. Kept so that older agents run; each is
 * the member of `this.context` that its comment names.
 */
export abstract class SessionContext {
  readonly #context: () => ContextBlocks;
  #declared: DeclaredContext | undefined;

  constructor(context: () => ContextBlocks) {
    this.#context = context;
  }

  /**
   * @internal Run `configureSession`: only while it runs can blocks be declared.
   * @returns What was declared.
   */
  async internal_declaring(configure: () => Promise<void>): Promise<DeclaredContext> {
    const declared: DeclaredContext = { blocks: [], promptStore: undefined };
    this.#declared = declared;
    try {
      await configure();
      return declared;
    } finally {
      this.#declared = undefined;
    }
  }

  /**
   * Declare a context block.
   *
   * @deprecated Return it from `configureContext()`.
   * @throws outside `configureSession()`.
   */
  withContext(label: string, options: SessionContextOptions = {}): this {
    if (!this.#declared) throw new Error(`withContext() ${OUTSIDE}`);
    this.#declared.blocks.push({ ...options, label });
    return this;
  }

  /**
   * Keep the frozen prompt in a store of your own.
   *
   * @deprecated Without a provider it does nothing: the frozen prompt is always stored.
   * @throws outside `configureSession()`.
   */
  withCachedPrompt(provider?: WritableContextProvider): this {
    if (!this.#declared) throw new Error(`withCachedPrompt() ${OUTSIDE}`);
    this.#declared.promptStore = provider;
    return this;
  }

  /** @deprecated `this.context.addBlock({ label, ...options })` */
  addContext(label: string, options: SessionContextOptions = {}): Promise<ContextBlock> {
    return this.#context().addBlock({ ...options, label });
  }

  /** @deprecated `this.context.removeBlock(label)` */
  removeContext(label: string): boolean {
    return this.#context().removeBlock(label);
  }

  /** @deprecated `this.context.getBlock(label)` */
  getContextBlock(label: string): ContextBlock | null {
    return this.#context().getBlock(label);
  }

  /** @deprecated `this.context.getBlocks()` */
  getContextBlocks(): ContextBlock[] {
    return this.#context().getBlocks();
  }

  /** @deprecated `this.context.setBlock(label, content)` */
  replaceContextBlock(label: string, content: string): Promise<ContextBlock> {
    return this.#context().setBlock(label, content);
  }

  /** @deprecated `this.context.appendToBlock(label, content)` */
  appendContextBlock(label: string, content: string): Promise<ContextBlock> {
    return this.#context().appendToBlock(label, content);
  }

  /** @deprecated `this.context.freezeSystemPrompt()` */
  freezeSystemPrompt(): Promise<string> {
    return this.#context().freezeSystemPrompt();
  }

  /** @deprecated `this.context.refreshSystemPrompt()` */
  refreshSystemPrompt(): Promise<string> {
    return this.#context().refreshSystemPrompt();
  }

  /** @deprecated `this.context.tools()` */
  tools(): Promise<ToolSet> {
    return this.#context().tools();
  }
}
