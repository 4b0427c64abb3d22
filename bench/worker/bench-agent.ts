/**
 * The agent of the benchmark, over either Think: the same subclass, the same model, the same meter. Its
 * methods are what the runner calls from outside; all start with `bench`, to stay clear of Think's own.
 */
import { streamText, type LanguageModel, type UIMessage } from "ai";
import { meterStorage, type Counts, type Meter } from "./meter.ts";
import { benchModel, type BenchModel } from "./model.ts";

/** The part of Think's API that is measured. */
export interface ThinkUnderTest {
  submitMessages(messages: UIMessage[], options?: { idempotencyKey?: string }): Promise<Receipt>;
  waitForSubmission(submissionId: string): Promise<{ status: string } | null>;
  listSubmissions(options?: { limit?: number }): Promise<{ submissionId: string }[]>;
  cancelSubmission(submissionId: string): Promise<unknown>;
  saveMessages(messages: UIMessage[]): Promise<{ status: string }>;
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

    /** One submission, from the call until it has settled. */
    async benchSubmission(): Promise<void> {
      const { submissionId } = await this.submitMessages([userMessage()]);
      const settled = await this.waitForSubmission(submissionId);
      if (settled?.status !== "completed") throw new Error(`The submission ended as ${settled?.status}.`);
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

function userMessage(id: string = crypto.randomUUID()): UIMessage {
  return { id, role: "user", parts: [{ type: "text", text: TEXT }] };
}
