import { createToolsFromClientSchemas } from "agents/chat";
import type { UIMessage } from "ai";
import { defined } from "../defined.ts";
import { asContent } from "../engine/admission.ts";
import { channelOf, requestInput } from "../engine/blocking-request.ts";
import type { BlockingEnd } from "../engine/blocking-turns.ts";
import { serializeObject } from "../input/json-object.ts";
import { checkRunTurn, textMessage, toMessages } from "../input/run-turn.ts";
import { assertNoCycle, type CallChain } from "../turn/call-chain.ts";
import { warnOfLegacyTools } from "../turn/legacy-tools.ts";
import { assertNotInsideTurn } from "../turn/nested-calls.ts";
import { withCallback } from "../turn/stream-callback.ts";
import type {
  ChatOptions,
  MessagesInput,
  RpcTurnResult,
  RunTurnOptions,
  RunTurnStream,
  RunTurnSubmit,
  RunTurnWait,
  SaveMessagesOptions,
  SaveMessagesResult,
  StreamCallback,
  SubmitMessagesResult,
  TurnInputMessages,
  TurnResult,
  TurnTrigger,
} from "../types.ts";
import { causeOf } from "./cause.ts";
import { engineOf, memoryOf } from "./internals.ts";
import { ThinkControl } from "./control.ts";

/** Turns whose caller waits. */
export abstract class ThinkTurns<
  Env extends Cloudflare.Env = Cloudflare.Env,
  State = unknown,
  Props extends Record<string, unknown> = Record<string, unknown>,
> extends ThinkControl<Env, State, Props> {
  /** The end of the newest continuation: `continueLastTurn` may be overridden and does not return all of it. */
  #continued: { readonly requestId: string; readonly end: BlockingEnd } | undefined;

  /**
   * Run a turn: wait for its end (the default), submit it for later, or have it streamed to a callback.
   *
   * @throws {TypeError} when the options do not fit each other; nothing is stored then.
   *
   * @example
   * const { message } = await agent.runTurn({ input: "What is new?" });
   * await agent.runTurn({ mode: "submit", input: "Write the report", idempotencyKey: "report-42" });
   */
  runTurn(options: RunTurnWait): Promise<TurnResult>;
  runTurn(options: RunTurnSubmit): Promise<SubmitMessagesResult>;
  runTurn(options: RunTurnStream): Promise<void>;
  /** With options of any kind; and over RPC, where the last overload stands for all. */
  runTurn(options: RunTurnOptions): Promise<RpcTurnResult | SubmitMessagesResult | void>;
  async runTurn(options: RunTurnOptions): Promise<TurnResult | SubmitMessagesResult | void> {
    const checked = checkRunTurn(options);
    switch (checked.mode) {
      case "submit": {
        const { submissionId, idempotencyKey, metadata, channel } = checked.options;
        return this.submitMessages(checked.messages, defined({ submissionId, idempotencyKey, metadata, channel }));
      }
      case "stream":
        return this.#streamTurn(checked.options);
      case "wait":
        return checked.options.continuation
          ? this.#continueAndWait(checked.options)
          : this.#runAndWait(checked.options);
      default:
        return checked satisfies never;
    }
  }

  /**
   * Answer and stream the answer to a callback. Resolves after the callback's last call, however the turn ended:
   * what goes wrong once `onStart` has returned is told to `onError`, bad messages included.
   *
   * @param input - Text, a message, messages, or a function of the conversation that is called when the turn begins.
   * @param callback - `onStart` with the turn's id, `onEvent` with one UI message chunk as JSON at a time, then
   * one of the last calls. Each is awaited. What `onEvent` throws ends the turn with `onError`.
   * @param options - `signal` ends the turn, waiting or running. `clientTools` are offered to the model for this
   * turn and run by `onClientToolCall`. `channel` and `metadata` are kept on the user messages.
   * @throws when called from inside a turn of this agent; when `calledFrom` says that its running turn waits for
   * this call, which would then wait for itself; and what `onStart` or the callback's last call throws.
   *
   * @example
   * await agent.chat("What is new?", {
   *   onStart: ({ requestId }) => console.log("turn", requestId),
   *   onEvent: (json) => console.log(JSON.parse(json)),
   *   onDone: () => console.log("answered"),
   *   onError: (error) => console.error(error),
   * });
   */
  async chat(input: TurnInputMessages, callback: StreamCallback, options: ChatOptions = {}): Promise<void> {
    assertNotInsideTurn(this, "rpc");
    warnOfLegacyTools(options);
    const messages = input === "" ? [textMessage("")] : typeof input === "function" ? input : toMessages(input);
    const { channel, metadata, signal, clientTools, onClientToolCall, calledFrom } = options;
    this.#assertNoCycle(calledFrom);
    const requestId = crypto.randomUUID();
    const tools = clientTools && createToolsFromClientSchemas(clientTools, defined({ execute: onClientToolCall }));
    const onChunk = async (chunk: unknown): Promise<void> => callback.onEvent(JSON.stringify(chunk));
    const held = { onChunk, ...(signal && { signal }), ...(tools && { tools }) };
    await withCallback(callback, requestId, () =>
      engineOf(this).blocking.run(
        {
          requestId,
          trigger: "rpc",
          channel,
          calledFrom,
          ...requestInput(messages, { channel, turnMetadata: metadata }, held),
        },
        causeOf(this),
      ),
    );
  }

  /**
   * Add an answer to the conversation as it is, and wait for the end of that turn.
   *
   * @param body - The caller's own data, for `beforeTurn`; a plain object that can be stored as JSON.
   * @param options - `signal` ends the turn. `trigger` is what the log says started it, `programmatic` when absent;
   * `channel` is that of the newest message that has one when absent.
   * @returns How the turn ended. `skipped`, with an empty `requestId` and nothing on record, when the conversation
   * does not end with an assistant message.
   * @throws when called from inside a turn of this agent, or `calledFrom` says that its running turn waits for this
   * call; {@link ThinkInputError} when `body` is not acceptable; and what the agent's own code threw before the
   * model was called. A model's error is a status instead.
   */
  protected async continueLastTurn(
    body?: Record<string, unknown>,
    options: SaveMessagesOptions & { trigger?: TurnTrigger; channel?: string } = {},
  ): Promise<SaveMessagesResult> {
    const { trigger = "programmatic", signal, channel, calledFrom } = options;
    assertNotInsideTurn(this, trigger);
    this.#assertNoCycle(calledFrom);
    await memoryOf(this).conversation.ready();
    const messages = memoryOf(this).conversation.messages();
    if (messages.at(-1)?.role !== "assistant") return { requestId: "", status: "skipped" };
    const request = {
      requestId: crypto.randomUUID(),
      trigger,
      continuation: true,
      body: asContent(serializeObject(body, "body")),
      channel: channel ?? channelOf(messages),
      calledFrom,
      held: signal ? { signal } : {},
    };
    const end = await engineOf(this).blocking.run(request, causeOf(this));
    this.#continued = { requestId: request.requestId, end };
    return saved(request.requestId, end);
  }

  /**
   * Add messages and answer them, and wait for the end of that turn.
   *
   * @param messages - Messages, or a function of the conversation that is called when the turn begins.
   * @param options - `signal` ends the turn, waiting or running.
   * @returns How the turn ended, and the id under which the log has it.
   * @throws when called from inside a turn of this agent, or `calledFrom` says that its running turn waits for this
   * call: it would wait for itself. {@link ThinkInputError} naming the field, when a message is not acceptable.
   * And what the agent's own code threw before the model was called; a model's error is a status instead.
   *
   * @example
   * const { status, error } = await agent.saveMessages([
   *   { id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text: "What is new?" }] },
   * ]);
   */
  async saveMessages(messages: MessagesInput, options?: SaveMessagesOptions): Promise<SaveMessagesResult> {
    const requestId = crypto.randomUUID();
    return saved(requestId, await this.#wait(requestId, messages, options ?? {}));
  }

  async #runAndWait({ input, ...options }: RunTurnWait): Promise<TurnResult> {
    const messages = typeof input === "function" ? input : toMessages(input ?? []);
    if (Array.isArray(messages) && messages.length === 0) {
      return { requestId: "", status: "skipped", continuation: false };
    }
    const requestId = crypto.randomUUID();
    const end = await this.#wait(requestId, messages, options);
    return { ...saved(requestId, end), ...(await this.#product(end)), continuation: false };
  }

  async #continueAndWait({ body, channel, signal, calledFrom }: RunTurnWait): Promise<TurnResult> {
    const result = await this.continueLastTurn(body, defined({ channel, signal, calledFrom }));
    const own = this.#continued?.requestId === result.requestId ? this.#continued.end : undefined;
    return { ...result, ...(own && (await this.#product(own))), continuation: true };
  }

  async #streamTurn({ input, callback, mode: _, ...options }: RunTurnStream): Promise<void> {
    const messages = typeof input === "function" ? input : toMessages(input ?? []);
    if (Array.isArray(messages) && messages.length === 0) {
      await callback.onStart({ requestId: crypto.randomUUID() });
      await callback.onDone();
      return;
    }
    await this.chat(messages, callback, options);
  }

  async #wait(
    requestId: string,
    input: MessagesInput,
    { channel, body, signal, calledFrom }: Pick<RunTurnWait, "channel" | "body" | "signal" | "calledFrom">,
  ): Promise<BlockingEnd> {
    assertNotInsideTurn(this, "programmatic");
    this.#assertNoCycle(calledFrom);
    const from = channel ?? (Array.isArray(input) ? channelOf(input) : undefined);
    const request = requestInput(input, { channel }, signal ? { signal } : {});
    const admitted = {
      requestId,
      trigger: "programmatic",
      channel: from,
      body: asContent(serializeObject(body, "body")),
      calledFrom,
    } as const;
    return engineOf(this).blocking.run({ ...admitted, ...request }, causeOf(this));
  }

  #assertNoCycle(calledFrom: CallChain | undefined): void {
    assertNoCycle(calledFrom, this.ctx.id.toString(), engineOf(this).lane.runningTurnId);
  }

  /** What a completed turn gave: its message as it is stored, and its structured output. */
  async #product({ status, messageId, output }: BlockingEnd): Promise<Pick<TurnResult, "message" | "output">> {
    if (status !== "completed") return {};
    const message = messageId === undefined ? null : await memoryOf(this).session.getMessage(messageId);
    return { ...(message && { message: message as UIMessage }), ...(output !== undefined && { output }) };
  }
}

const saved = (requestId: string, { status, error }: BlockingEnd): SaveMessagesResult => ({
  requestId,
  status,
  ...(status === "error" && error !== undefined && { error }),
});
