import type { ContextConfig, SqlProvider } from "agents/context";
import { LifecycleCapability } from "agents/lifecycle";
import type { SearchResult, Sessions } from "agents/sessions";
import { drizzle } from "drizzle-orm/durable-sqlite";
import { checkLimit } from "../input/filters.ts";
import { ActiveLeaf } from "./active-leaf.ts";
import { AgentConfig } from "./agent-config.ts";
import { pathSize } from "./compaction.ts";
import { AgentContext } from "./context.ts";
import { Degradations } from "./degradations.ts";
import { HydrationReport } from "./hydration.ts";
import { moveLegacyConfig } from "./legacy-config.ts";
import type { ConversationCare } from "./ports.ts";
import { type RepairPart, repairTranscript } from "./repair.ts";
import { checkQuery, MAX_RESULTS, searchAllSessions } from "./search.ts";
import { SessionConversation } from "./session-conversation.ts";
import { ThinkSession } from "./think-session.ts";

/** What the subclass says about its conversation. Asked when it is needed: fields are set after construction. */
type ConversationHooks = {
  readonly configureSession: (session: ThinkSession) => ThinkSession | Promise<ThinkSession>;
  readonly configureContext: () => ContextConfig[] | Promise<ContextConfig[]>;
  readonly hydrationByteBudget: () => number;
  readonly repairPart: RepairPart;
};

/** The conversation of one agent, put together: its session, context blocks, configuration and care. */
export class ConversationCapability extends LifecycleCapability implements ConversationCare {
  readonly conversation: SessionConversation;
  readonly session: ThinkSession;
  readonly context: AgentContext;
  readonly degradations: Degradations;
  readonly #sessions: Sessions;
  readonly #hooks: ConversationHooks;
  #activeLeaf: ActiveLeaf | undefined;
  #config: AgentConfig | undefined;

  constructor(sessions: Sessions, agent: SqlProvider, hooks: ConversationHooks) {
    super("thinklog-conversation");
    this.#sessions = sessions;
    this.#hooks = hooks;
    const emit = this.#emit.bind(this);
    const hydration = new HydrationReport(emit);
    this.degradations = new Degradations(emit);
    this.context = new AgentContext(agent, this.degradations);
    this.conversation = new SessionConversation(sessions, {
      activeLeaf: () => this.#activeLeaf,
      budget: hooks.hydrationByteBudget,
      read: (window, budget) => {
        hydration.read(window, budget);
        this.degradations.mended("transcript-hydration");
      },
      failed: (error) => this.degradations.add("transcript-hydration", error),
    });
    this.session = new ThinkSession(sessions.session(), () => this.context.blocks, {
      id: () => this.#activeLeaf?.id,
      choose: (messageId) => this.#chooseLeaf(messageId),
    });
    sessions.subscribe(async ({ sessionId, type }) => {
      if (sessionId !== this.session.sessionId) return;
      if (type === "compact" || type === "compaction" || type === "clear") await this.context.refresh();
    });
  }

  /** @throws before the start. */
  get config(): AgentConfig {
    if (!this.#config) throw new Error("The configuration is available after the agent has started.");
    return this.#config;
  }

  /** After the capability that brings the tables up to date. */
  override async onStart(): Promise<void> {
    const { storage, runInHostContext } = this.lifecycle;
    const db = drizzle(storage, { logger: false });
    moveLegacyConfig(storage);
    this.#config = new AgentConfig(db);
    const leaf = new ActiveLeaf(db, this.#sessions.session());
    const unreadable = (error: unknown) => this.degradations.add("transcript-hydration", error);
    await leaf.load().catch(unreadable);
    this.#activeLeaf = leaf;
    await runInHostContext(() => this.#configure());
    await this.conversation.ready().catch(unreadable);
  }

  async repair(continuation: boolean, clientTools?: ReadonlySet<string>): Promise<void> {
    await this.conversation.ready();
    const turn = { continuation, ...(clientTools && { clientTools }) };
    const { changed, ...facts } = repairTranscript(this.conversation.messages(), turn, this.#hooks.repairPart);
    if (changed.length === 0) return;
    for (const message of changed) await this.session.updateMessage(message);
    this.#emit("chat:transcript:repaired", facts);
  }

  async compact(): Promise<{ shortened: boolean }> {
    if (!this.session.internal_canCompact) return { shortened: false };
    const handle = this.#sessions.session();
    const leafId = this.#activeLeaf?.id;
    const before = await pathSize(handle, leafId);
    if ((await this.session.compact()) === null) return { shortened: false };
    return { shortened: (await pathSize(handle, leafId)) < before };
  }

  /** Search every session of the object. */
  async search(query: unknown, limit: unknown): Promise<SearchResult[]> {
    const checked = { query: checkQuery(query), limit: checkLimit(limit, 20, MAX_RESULTS) };
    return searchAllSessions(this.lifecycle.storage, this.#sessions.session(), checked.query, checked.limit);
  }

  async #configure(): Promise<void> {
    const { configureSession, configureContext } = this.#hooks;
    const declared = await this.session.internal_declaring(async () => {
      const configured = await configureSession(this.session);
      if (configured !== this.session) throw new Error("configureSession() must return the session it was given");
    });
    await this.context.start([...declared.blocks, ...(await configureContext())], declared.promptStore);
  }

  async #chooseLeaf(messageId: string | null): Promise<void> {
    await this.lifecycle.ready();
    await this.#activeLeaf?.choose(messageId);
    await this.conversation.sync();
  }

  #emit(type: string, payload: Record<string, unknown>): void {
    this.lifecycle.events.emit(type, payload);
  }
}
