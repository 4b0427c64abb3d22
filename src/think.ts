import { overriddenPrompt } from "./conversation/default-prompt.ts";
import { type ClientToolSchema, createToolsFromClientSchemas } from "agents/chat";
import { Sessions } from "agents/sessions";
import { Streams } from "agents/streams";
import type { UIMessage } from "ai";
import { ConversationCapability } from "./conversation/capability.ts";
import { mediaAgeing } from "./conversation/media-options.ts";
import { historyForModel } from "./conversation/model-history.ts";
import { EngineCapability } from "./engine/capability.ts";
import type { Telemetry } from "./engine/ports.ts";
import { rebuildProjections } from "./engine/rebuild.ts";
import { parseMetadata } from "./engine/inspection.ts";
import { checkAuditOptions, checkDigest } from "./input/audit.ts";
import { verifyLog } from "./log/index.ts";
import { noteOverrides, noteWrappers, overrides } from "./overrides.ts";
import { auditPage } from "./queries/index.ts";
import type { TurnPorts, TurnSettings } from "./turn/ports.ts";
import { ScheduleCapability } from "./schedule/capability.ts";
import { AnswerStore, MAX_SEGMENT_BYTES } from "./turn/answer-store.ts";
import { runTurn } from "./turn/run-turn.ts";
import type {
  AuditLogOptions,
  AuditLogPage,
  ChatResponseResult,
  LogVerification,
  ProjectionRebuild,
  ThinkSubmissionInspection,
} from "./types.ts";
import { agentWorkflows } from "./think/agent-workflows.ts";
import { causeOf } from "./think/cause.ts";
import { chatWire } from "./think/chat-wire.ts";
import { ThinkHooks } from "./think/hooks.ts";
import { engineOf, internalsOf, memoryOf, setInternals, wireOf } from "./think/internals.ts";
import { ThinkTurns } from "./think/turns.ts";
import { WireCapability } from "./wire/capability.ts";

/** Hooks that cost something only when a subclass has them. */
const OBSERVED = ["onSubmissionStatus", "onChatResponse", "classifyChatError"] as const;

/**
 * An agent whose every turn is on record: submitted, claimed, applied, completed, failed, aborted,
 * skipped. Extend it and say which model answers.
 *
 * Its members by topic: {@link ThinkHooks}, {@link ThinkConversation}, {@link ThinkSubmissions}, {@link ThinkWorkflows},
 * {@link ThinkSchedule}, {@link ThinkTurns}; here are the log and the wiring.
 *
 * @example
 * class Assistant extends Think<Env> {
 *   getModel() {
 *     return createWorkersAI({ binding: this.env.AI })("@cf/moonshotai/kimi-k2.7-code");
 *   }
 * }
 */
export class Think<
  Env extends Cloudflare.Env = Cloudflare.Env,
  State = unknown,
  Props extends Record<string, unknown> = Record<string, unknown>,
> extends ThinkTurns<Env, State, Props> {
  /** The conversations stored in this object. */
  readonly sessions: Sessions;

  constructor(ctx: DurableObjectState, env: Env) {
    noteOverrides(new.target.prototype, ThinkHooks.prototype, OBSERVED);
    super(ctx, env);
    noteWrappers(new.target.prototype, OBSERVED);
    this.sessions = new Sessions({ reservedMetadataKeys: ["channel", "turnMetadata"] });
    const memory = new ConversationCapability(this.sessions, this, {
      configureSession: (session) => this.configureSession(session),
      configureContext: () => this.configureContext(),
      hydrationByteBudget: () => this.hydrationByteBudget,
      repairPart: (part) => this.repairInterruptedToolPart(part),
    });
    const streams = new Streams({ maxChunkBytes: MAX_SEGMENT_BYTES });
    const answers = new AnswerStore(streams);
    const clock = { now: () => Date.now() };
    const ids = { uuid: () => crypto.randomUUID(), salt: () => crypto.randomUUID() };
    const engine = new EngineCapability({
      isInside: () => this.parentPath.length > 0,
      clock,
      ids,
      telemetry: this.#telemetry,
      conversation: memory.conversation,
      statusHook: this.#statusHook(),
      responseHook: this.#responseHook(),
      readMessage: async (id) => ((await memory.session.getMessage(id)) ?? undefined) as UIMessage | undefined,
      workflows: agentWorkflows(this, env),
      sender: { send: (name, id, event) => this.sendWorkflowEvent(name as never, id, event) },
      answers,
      turnLeft: (turnId, run) => wire.turnLeft(turnId, run),
      runner: (claimed, record, cancelled) => runTurn(this.#turnPorts(ids.uuid, clock.now), claimed, record, cancelled),
    });
    const wire = chatWire(this, {
      answers,
      telemetry: this.#telemetry,
      kv: () => ctx.storage.kv,
      alarm: () => wireCapability.alarm,
      now: clock.now,
      uuid: ids.uuid,
    });
    const wireCapability = new WireCapability(this, wire);
    const schedule = new ScheduleCapability(this, {
      engine: () => engine.engine,
      degradations: memory.degradations,
      clock,
      uuid: ids.uuid,
    });
    setInternals(this, { engine, memory, live: {}, wire, schedule });
    this.lifecycle.use(this.sessions).use(streams).use(engine).use(memory).use(wireCapability).use(schedule);
  }

  /**
   * The immutable events behind everything above, in pages. A page can be short, even empty, and still
   * have a cursor: it looked at its share of the log.
   *
   * @throws {ThinkInputError} naming the field, when a filter is not acceptable.
   *
   * @example
   * const { events } = await agent.auditLog({ submissionId: receipt.submissionId });
   * // TurnSubmitted, TurnClaimed, MessagesApplied, StepFinished, TurnCompleted
   */
  async auditLog(options?: AuditLogOptions): Promise<AuditLogPage> {
    return auditPage(engineOf(this).store.log, checkAuditOptions(options));
  }

  /**
   * The content that an event names by digest: submitted messages, their metadata, a turn's body, the output of a
   * workflow's prompt.
   *
   * @returns `null` when it was erased, or there never was such content.
   *
   * @example
   * const { events } = await agent.auditLog({ submissionId, types: ["TurnSubmitted"] });
   * const messages = await agent.auditPayload(events[0].data.payload);
   */
  async auditPayload(digest: string): Promise<unknown> {
    const content = engineOf(this).store.payloads.get(checkDigest(digest));
    return content === undefined ? null : JSON.parse(content);
  }

  /** Check the whole log: no event missing, none changed, every payload that is still there as it was. */
  async verifyLog(): Promise<LogVerification> {
    const { log, payloads } = engineOf(this).store;
    return verifyLog(log, payloads);
  }

  /**
   * Make the ledger, the queue and the outbox what the log says they are. Sets nothing off: no model is
   * called, no hook, no alarm. For the morning after a hand-made change, and for a good sleep before it.
   */
  async rebuildProjections(): Promise<ProjectionRebuild[]> {
    const { store, dispatcher } = engineOf(this);
    return rebuildProjections(store, dispatcher, causeOf(this));
  }

  /**
   * The agent's own way to its observability channels. That of its capabilities first leaves the context of the
   * agent, which takes longer than all the rest and would be a tenth of what a receipt takes.
   */
  readonly #telemetry: Telemetry = { emit: (type, payload) => this._emit(type as "submission:create", payload) };

  #turnPorts(messageId: () => string, now: () => number): TurnPorts {
    return {
      agent: this,
      hooks: this,
      settings: () => this.#settings(),
      conversation: memoryOf(this).conversation,
      context: memoryOf(this).context,
      care: memoryOf(this),
      modelHistory: (upTo) =>
        historyForModel(pathTo(memoryOf(this).conversation.messages(), upTo), {
          truncationStep: this.truncationStep,
          media: mediaAgeing(this.mediaEviction),
        }),
      readBody: (digest) => parseMetadata(engineOf(this).store.payloads.get(digest)),
      readClientTools: (digest) => clientToolsOf(engineOf(this).store.payloads.get(digest)),
      live: internalsOf(this).live,
      audience: wireOf(this),
      telemetry: this.#telemetry,
      now,
      messageId,
    };
  }

  #settings(): TurnSettings {
    return {
      getModel: () => this.getModel(),
      resolveModel: (model) => this.resolveModel(model),
      basePrompt: overriddenPrompt(this.getSystemPrompt()),
      tools: this.getTools(),
      maxSteps: this.maxSteps,
      stallTimeoutMs: this.chatStreamStallTimeoutMs,
      sendReasoning: this.sendReasoning,
      messageMetadata: this.messageMetadata,
      contextOverflow: this.contextOverflow,
      classifies: Object.hasOwn(this, "classifyChatError") || this.#overrides("classifyChatError"),
      tracing: { storeMessages: this.storeMessages, storeTools: this.storeTools },
    };
  }

  #overrides(name: (typeof OBSERVED)[number]): boolean {
    return overrides(Object.getPrototypeOf(this) as object, name);
  }

  /** Without an override there is nobody to tell, and nothing to remember for it. */
  #statusHook() {
    if (!this.#overrides("onSubmissionStatus")) return undefined;
    return (submission: ThinkSubmissionInspection) => this.onSubmissionStatus(submission);
  }

  #responseHook() {
    if (!this.#overrides("onChatResponse")) return undefined;
    return (response: ChatResponseResult) => this.onChatResponse(response);
  }
}

/** The path, or the part of it up to a message of it. */
function pathTo(messages: readonly UIMessage[], upTo: string | undefined): readonly UIMessage[] {
  const index = upTo === undefined ? -1 : messages.findIndex(({ id }) => id === upTo);
  return index === -1 ? messages : messages.slice(0, index + 1);
}

const clientToolsOf = (json: string | undefined) =>
  json === undefined ? {} : createToolsFromClientSchemas(JSON.parse(json) as ClientToolSchema[]);
