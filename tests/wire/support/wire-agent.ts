import type { Connection, ConnectionContext, WSMessage } from "agents";
import type { LanguageModel, ToolSet } from "ai";
import {
  type ChatErrorContext,
  type ChatResponseResult,
  type MessageConcurrency,
  type SaveMessagesResult,
  Think,
  type TurnConfig,
  type TurnContext,
} from "../../../src/index.ts";
import { scriptedModel, type Script, text } from "../../../src/testing/index.ts";

/** What a test says about one agent, by its name. It outlives a restart of the object, as deployed code would. */
export type WireSetup = {
  script: Script;
  tools: ToolSet;
  messageConcurrency: MessageConcurrency;
  interactionTimeoutMs: number;
  beforeTurn: (context: TurnContext, agent: WireAgent) => TurnConfig | void | Promise<TurnConfig | void>;
  onChatResponse: (result: ChatResponseResult, agent: WireAgent) => void | Promise<void>;
  onChatError: (error: unknown, context?: ChatErrorContext) => unknown;
  onConnect: (connection: Connection, context: ConnectionContext) => void;
  onMessage: (connection: Connection, message: WSMessage) => void;
  onClose: (connection: Connection, code: number) => void;
  onRequest: (request: Request) => Response;
  isReadonly: (request: Request) => boolean;
};

const setups = new Map<string, Partial<WireSetup>>();

export const setUpWire = (name: string, setup: Partial<WireSetup>): void => {
  setups.set(name, { ...setups.get(name), ...setup });
};

/** How often the model of an agent was called, over all of its lives. */
const modelCalls = new Map<string, number>();

/** An agent that is talked to over sockets; a test says what it does. */
export class WireAgent extends Think {
  get #setup(): Partial<WireSetup> {
    return setups.get(this.name) ?? {};
  }

  /** What every turn asks; it remembers the calls of this life, and the script is told of those before. */
  readonly model = scriptedModel((call) => {
    const index = modelCalls.get(this.name) ?? 0;
    modelCalls.set(this.name, index + 1);
    return (this.#setup.script ?? (() => text("Hello", " there")))({ ...call, index });
  });

  override onStart(): void {
    const { messageConcurrency, interactionTimeoutMs } = this.#setup;
    if (messageConcurrency !== undefined) this.messageConcurrency = messageConcurrency;
    if (interactionTimeoutMs !== undefined) this.interactionTimeoutMs = interactionTimeoutMs;
  }

  override getModel(): LanguageModel {
    return this.model;
  }

  override getTools(): ToolSet {
    return this.#setup.tools ?? {};
  }

  override beforeTurn(context: TurnContext) {
    return this.#setup.beforeTurn?.(context, this);
  }

  override onChatResponse(result: ChatResponseResult) {
    return this.#setup.onChatResponse?.(result, this);
  }

  override onChatError(error: unknown, context?: ChatErrorContext): unknown {
    return this.#setup.onChatError ? this.#setup.onChatError(error, context) : error;
  }

  override onConnect(connection: Connection, context: ConnectionContext): void {
    this.#setup.onConnect?.(connection, context);
  }

  override onMessage(connection: Connection, message: WSMessage): void {
    this.#setup.onMessage?.(connection, message);
  }

  override onClose(connection: Connection, code: number): void {
    this.#setup.onClose?.(connection, code);
  }

  override onRequest(request: Request): Response {
    return this.#setup.onRequest?.(request) ?? new Response("Not found", { status: 404 });
  }

  override shouldConnectionBeReadonly(_connection: Connection, { request }: ConnectionContext): boolean {
    return this.#setup.isReadonly?.(request) ?? false;
  }

  /** Protected members, for tests that call them as a subclass would. */
  continueTurn(): Promise<SaveMessagesResult> {
    return this.continueLastTurn();
  }

  stable(timeout: number): Promise<boolean> {
    return this.waitUntilStable({ timeout });
  }
}
