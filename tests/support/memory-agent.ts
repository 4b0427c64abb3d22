import type { ContextBlocks, ContextConfig } from "agents/context";
import type { LanguageModel, ToolSet, UIMessage } from "ai";
import { Think, type ThinkSession } from "../../src/index.ts";
import { scriptedModel, type ModelCall, type Script, text } from "../../src/testing/index.ts";

type Part = UIMessage["parts"][number];

/** What a test says about an agent by its name: it outlives a restart, as deployed code does. */
export type Setup = {
  script: Script;
  tools: ToolSet;
  systemPrompt: string;
  blocks: () => ContextConfig[] | Promise<ContextConfig[]>;
  session: (session: ThinkSession, agent: MemoryAgent) => ThinkSession | Promise<ThinkSession>;
  repair: (part: Part) => Part;
  fields: Partial<Pick<Think, "hydrationByteBudget" | "mediaEviction" | "truncationStep" | "contextOverflow">>;
};

export const setups = new Map<string, Partial<Setup>>();

/** What the model of an agent was asked, over all of its lives. */
export const calls = new Map<string, ModelCall[]>();

/** An agent whose conversation a test configures, and whose protected members a test calls as a subclass would. */
export class MemoryAgent extends Think {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    const { systemPrompt, fields } = this.#setup;
    if (systemPrompt !== undefined) this.getSystemPrompt = () => systemPrompt;
    Object.assign(this, fields);
  }

  override getModel(): LanguageModel {
    return scriptedModel((call) => {
      const earlier = calls.get(this.name) ?? [];
      calls.set(this.name, [...earlier, call]);
      return (this.#setup.script ?? (() => text("Hello there")))({ ...call, index: earlier.length });
    });
  }

  override getTools(): ToolSet {
    return this.#setup.tools ?? {};
  }

  override configureContext(): ContextConfig[] | Promise<ContextConfig[]> {
    return this.#setup.blocks?.() ?? [];
  }

  override configureSession(session: ThinkSession): ThinkSession | Promise<ThinkSession> {
    const { session: configure } = this.#setup;
    return configure ? configure(session, this) : session;
  }

  protected override repairInterruptedToolPart(part: Part): Part {
    return this.#setup.repair?.(part) ?? super.repairInterruptedToolPart(part);
  }

  get blocks(): ContextBlocks {
    return this.context;
  }

  basePrompt(): Promise<string> {
    return this._buildBaseSystemPrompt();
  }

  append(message: UIMessage, parentId?: string | null): Promise<UIMessage> {
    return this.appendMessageToHistory(message, parentId);
  }

  update(message: UIMessage): Promise<UIMessage> {
    return this.updateMessageInHistory(message);
  }

  sync(): Promise<UIMessage[]> {
    return this.syncMessagesFromStorage();
  }

  get #setup(): Partial<Setup> {
    return setups.get(this.name) ?? {};
  }
}
