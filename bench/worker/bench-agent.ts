/**
 * The agent of the benchmark, over either Think: the same subclass, the same model, the same meter. Its
 * methods are what the runner calls from outside; all start with `bench`, to stay clear of Think's own.
 */
import { isStepCount, jsonSchema, streamText, tool, type LanguageModel, type ToolSet, type UIMessage } from "ai";
import { meterStorage, type Counts, type Meter } from "./meter.ts";
import { benchModel, type BenchModel } from "./model.ts";

/** The part of Think's API that is measured. */
export interface ThinkUnderTest {
  submitMessages(messages: UIMessage[], options?: { idempotencyKey?: string }): Promise<Receipt>;
  waitForSubmission(submissionId: string): Promise<{ status: string } | null>;
  listSubmissions(options?: { limit?: number }): Promise<{ submissionId: string }[]>;
  cancelSubmission(submissionId: string): Promise<unknown>;
  saveMessages(messages: UIMessage[]): Promise<{ status: string }>;
  addMessages(messages: UIMessage[]): Promise<void>;
  clearMessages(): Promise<void>;
  runWorkflow(name: string, params: object, options: { agentBinding: string }): Promise<string>;
  sendWorkflowEvent(name: string, id: string, event: { type: string; payload: unknown }): Promise<void>;
  maxSteps: number;
}

export interface Receipt {
  submissionId: string;
  status: string;
  accepted: boolean;
}

export type ThinkClass = new (ctx: DurableObjectState, env: Cloudflare.Env) => ThinkUnderTest;

/** One call of the model: when, and what the object's storage had counted until then. */
export interface Tick {
  at: number;
  counts?: Counts;
}

/** Objects of this prefix are metered; the others run on the plain storage, for the timings. */
const METERED = "metered-";

export function benchAgent(Base: ThinkClass) {
  return class BenchAgent extends Base {
    readonly #meter: Meter | undefined;
    readonly #native: DurableObjectStorage;
    readonly #state: DurableObjectState;
    readonly #ticks: Tick[] = [];
    #tools: ToolSet = {};
    #started: Promise<void> | undefined;
    #workflowId = "";
    #done: ((ms: number) => void) | undefined;
    readonly #model: BenchModel = benchModel(() => {
      this.#ticks.push(this.#meter ? { at: Date.now(), counts: this.#meter.read() } : { at: Date.now() });
    });

    constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
      const native = ctx.storage;
      const meter = ctx.id.name?.startsWith(METERED) ? meterStorage(ctx) : undefined;
      super(ctx, env);
      this.#native = native;
      this.#state = ctx;
      this.#meter = meter;
    }

    getModel(): LanguageModel {
      return this.#model.model;
    }

    getSystemPrompt(): string {
      return "You are brief.";
    }

    getTools(): ToolSet {
      return this.#tools;
    }

    /** The empty call. It says how far the model got, so that a probe can see what ran before it. */
    async benchNoop(): Promise<{ ticks: number }> {
      return { ticks: this.#ticks.length };
    }

    async benchTicks(): Promise<Tick[]> {
      return this.#ticks;
    }

    async benchHold(): Promise<void> {
      this.#model.hold();
    }

    async benchRelease(): Promise<void> {
      this.#model.release();
    }

    async benchMeterReset(): Promise<void> {
      this.#meter?.reset();
    }

    async benchMeter(): Promise<Counts> {
      if (!this.#meter) throw new Error(`Only objects named ${METERED}… are metered.`);
      return this.#meter.read();
    }

    /** With `messageId`, a repeated call carries the very same payload. */
    async benchSubmit({ messageId, ...options }: { messageId?: string; idempotencyKey?: string }): Promise<Receipt> {
      const { submissionId, status, accepted } = await this.submitMessages([userMessage(messageId)], options);
      return { submissionId, status, accepted };
    }

    async benchSubmitMany({ count }: { count: number }): Promise<void> {
      for (let i = 0; i < count; i++) await this.submitMessages([userMessage()]);
    }

    async benchWait({ submissionId }: { submissionId: string }): Promise<string | undefined> {
      return (await this.waitForSubmission(submissionId))?.status;
    }

    /** Kept, terminal submissions without the time of their turns: submitted behind a held turn, cancelled. */
    async benchKeep({ count }: { count: number }): Promise<void> {
      for (let i = 0; i < count; i++) {
        const { submissionId } = await this.submitMessages([userMessage()]);
        await this.cancelSubmission(submissionId);
      }
    }

    async benchList({ limit }: { limit: number }): Promise<number> {
      return (await this.listSubmissions({ limit })).length;
    }

    /** One blocking turn. */
    async benchTurn(): Promise<void> {
      const { status } = await this.saveMessages([userMessage()]);
      if (status !== "completed") throw new Error(`The turn ended as ${status}.`);
    }

    /** A conversation of `count` messages in place of the one that is there. */
    async benchFill({ count }: { count: number }): Promise<void> {
      await this.clearMessages();
      await this.addMessages(Array.from({ length: count }, (_, index) => storedMessage(index)));
    }

    /** The next answer has so many pieces of text; a gated one stays live until `benchLetEnd`. */
    async benchLong({ count, gated = false }: { count: number; gated?: boolean }): Promise<void> {
      this.#model.answerLong(count, gated);
    }

    async benchLetEnd(): Promise<void> {
      this.#model.letEnd();
    }

    /** Begins a blocking turn and answers as soon as the model is asked; `benchFinish` lets it end. */
    async benchBegin(): Promise<void> {
      this.#model.hold();
      const called = this.#model.called();
      this.#started = this.benchTurn();
      await Promise.race([called, this.#started]);
    }

    async benchFinish(): Promise<void> {
      this.#model.release();
      await this.#started;
    }

    /** One blocking turn of `steps` model steps with a tool call each, and the step that answers. */
    async benchToolTurn({ steps }: { steps: number }): Promise<void> {
      this.maxSteps = steps + 1;
      this.#tools = TOOLS;
      this.#model.callTools(steps);
      await this.benchTurn();
    }

    /** The same steps from `streamText` alone. */
    async benchBareTools({ steps }: { steps: number }): Promise<void> {
      this.#model.callTools(steps);
      const stopWhen = isStepCount(steps + 1);
      const result = streamText({
        model: this.#model.model,
        system: this.getSystemPrompt(),
        prompt: TEXT,
        tools: TOOLS,
        stopWhen,
      });
      await result.consumeStream();
    }

    /** One submission, from the call until it has settled. */
    async benchSubmission(): Promise<void> {
      const { submissionId } = await this.submitMessages([userMessage()]);
      const settled = await this.waitForSubmission(submissionId);
      if (settled?.status !== "completed") throw new Error(`The submission ended as ${settled?.status}.`);
    }

    /** A whole workflow instance of so many prompts, or bare events; answers the milliseconds that one took. */
    async benchWorkflow(params: { kind: "prompts" | "events"; count: number }): Promise<number> {
      const done = new Promise<number>((resolve) => (this.#done = resolve));
      this.#workflowId = await this.runWorkflow("PROMPTS", params, { agentBinding: "AGENT" });
      return done;
    }

    /** Called by the workflow. */
    async benchDone(ms: number): Promise<void> {
      this.#done?.(ms);
    }

    async benchSendEvent(type: string): Promise<void> {
      await this.sendWorkflowEvent("PROMPTS", this.#workflowId, { type, payload: {} });
    }

    /** The same answer from `streamText` alone. */
    async benchBare(): Promise<void> {
      const result = streamText({ model: this.#model.model, system: this.getSystemPrompt(), prompt: TEXT });
      await result.consumeStream();
    }

    /** Ends the object for good, so that its alarms and memory do not disturb what is measured next. */
    async benchRetire(): Promise<void> {
      await this.#native.deleteAlarm();
      this.#state.abort("The benchmark is done with this object.");
    }
  };
}

export type BenchAgent = InstanceType<ReturnType<typeof benchAgent>>;

const TEXT = "How is everything?";
const PARAGRAPH = "A sentence of the length that sentences in conversations have, more or less. ".repeat(4);

/** The pause lets the clock move on: inside workerd it stands still until something outside happens. */
const TOOLS: ToolSet = {
  look: tool({
    description: "Look somewhere.",
    inputSchema: jsonSchema({ type: "object" }),
    execute: async () => {
      await scheduler.wait(0);
      return { found: "a page of little importance" };
    },
  }),
};

function userMessage(id: string = crypto.randomUUID()): UIMessage {
  return { id, role: "user", parts: [{ type: "text", text: TEXT }] };
}

/** Question and answer in turn. */
function storedMessage(index: number): UIMessage {
  const role = index % 2 ? "assistant" : "user";
  return { id: crypto.randomUUID(), role, parts: [{ type: "text", text: PARAGRAPH }] };
}
