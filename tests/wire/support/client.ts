import type { UIMessage, UIMessageChunk } from "ai";
import { onTestFinished } from "vitest";

/** One frame of the wire, with whatever fields it has. */
export type Frame = {
  readonly type: string;
  readonly id?: string;
  readonly body?: string;
  readonly done?: boolean;
  readonly error?: boolean;
  readonly continuation?: boolean;
  readonly replay?: boolean;
  readonly replayComplete?: boolean;
  readonly seq?: number;
  readonly messageIds?: readonly string[];
  readonly outcome?: string;
  readonly messages?: readonly UIMessage[];
  readonly message?: UIMessage;
  readonly connect?: boolean;
  readonly probeId?: string;
  readonly reason?: string;
  readonly recovering?: boolean;
  /** Of the frames that are not the chat's: who the agent is. */
  readonly name?: string;
};

export type ClientTool = { readonly name: string; readonly description?: string; readonly parameters?: unknown };

export type RequestOptions = {
  readonly id?: string;
  readonly trigger?: "submit-message" | "regenerate-message";
  readonly clientTools?: readonly ClientTool[];
  readonly body?: Record<string, unknown>;
};

export type ToolResultFrame = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output?: unknown;
  readonly state?: "output-available" | "output-error";
  readonly errorText?: string;
  readonly autoContinue?: boolean;
  readonly clientTools?: readonly ClientTool[];
};

export type ApprovalFrame = {
  readonly toolCallId: string;
  readonly approved: boolean;
  readonly autoContinue?: boolean;
};

const PATIENCE_MS = 3_000;

/** A browser tab without the browser: a real socket, and every frame that came over it, in order. */
export class WireClient {
  readonly frames: Frame[] = [];
  readonly socket: WebSocket;
  readonly #watchers = new Set<() => void>();

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.frames.push(parse(data));
      for (const look of this.#watchers) look();
    });
    onTestFinished(() => this.close());
  }

  /** The first frame from the given place on that is so, now or later. */
  waitFor(wanted: (frame: Frame) => boolean, from = 0): Promise<Frame> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.frames.slice(from).find(wanted);
        if (!found) return;
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve(found);
      };
      const timer = setTimeout(() => {
        this.#watchers.delete(look);
        reject(new Error(`No such frame came: ${wanted}\nWhat came:\n${this.frames.map(shown).join("\n")}`));
      }, PATIENCE_MS);
      this.#watchers.add(look);
      look();
    });
  }

  waitForType(type: string, from = 0): Promise<Frame> {
    return this.waitFor((frame) => frame.type === type, from);
  }

  /** The terminal frame of a request. */
  ended(id: string, from = 0): Promise<Frame> {
    return this.waitFor((frame) => isResponseOf(frame, id) && frame.done === true, from);
  }

  /** Resolves when the text of a request has come so far. */
  async said(id: string, text: string): Promise<void> {
    await this.waitFor(() => this.textOf(id).includes(text));
  }

  /** Start a turn; gives its id. */
  request(messages: readonly UIMessage[], options: RequestOptions = {}): string {
    const { id = crypto.randomUUID().slice(0, 8), trigger = "submit-message", clientTools, body } = options;
    const payload = { messages, trigger, ...(clientTools && { clientTools }), ...body };
    this.send({ type: "cf_agent_use_chat_request", id, init: { method: "POST", body: JSON.stringify(payload) } });
    return id;
  }

  cancel(id: string): void {
    this.send({ type: "cf_agent_chat_request_cancel", id });
  }

  clear(): void {
    this.send({ type: "cf_agent_chat_clear" });
  }

  /** Ask whether there is something to resume, and get the answer to just this question. */
  resume(probeId: string = crypto.randomUUID().slice(0, 8)): Promise<Frame> {
    const from = this.frames.length;
    this.send({ type: "cf_agent_stream_resume_request", probeId });
    return this.waitFor((frame) => frame.probeId === probeId, from);
  }

  ack(id: string): void {
    this.send({ type: "cf_agent_stream_resume_ack", id });
  }

  /** Be ready for every stream that is announced, as the hook of the browser is. */
  follow(): void {
    const ready = new Set<string>();
    const look = (): void => {
      for (const { id } of this.ofType("cf_agent_stream_resuming")) {
        if (id === undefined || ready.has(id)) continue;
        ready.add(id);
        this.ack(id);
      }
    };
    this.#watchers.add(look);
    look();
  }

  toolResult(result: ToolResultFrame): void {
    this.send({ type: "cf_agent_tool_result", ...result });
  }

  approve(approval: ApprovalFrame): void {
    this.send({ type: "cf_agent_tool_approval", ...approval });
  }

  send(frame: Record<string, unknown>): void {
    this.sendText(JSON.stringify(frame));
  }

  sendText(text: string): void {
    this.socket.send(text);
  }

  /**
   * Resolves when the agent has taken all that was sent before, and what it sent until then has come. It is a call of
   * no method: answered on the same socket, and of no consequence for the chat.
   */
  async caughtUp(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      const id = crypto.randomUUID();
      this.send({ type: "rpc", id, method: "noSuchMethod", args: [] });
      await this.waitFor((frame) => frame.type === "rpc" && frame.id === id);
    }
  }

  /** The frames of the chat, without those that every agent sends. */
  get chat(): Frame[] {
    return this.frames.filter(({ type }) => CHAT_FRAMES.has(type));
  }

  get types(): string[] {
    return this.chat.map(({ type }) => type);
  }

  ofType(type: string): Frame[] {
    return this.frames.filter((frame) => frame.type === type);
  }

  /** The response frames of a request. */
  framesOf(id: string): Frame[] {
    return this.frames.filter((frame) => isResponseOf(frame, id));
  }

  /** The chunks that a request streamed: all, or only the live ones. */
  chunksOf(id: string): UIMessageChunk[] {
    return this.framesOf(id).flatMap(chunkOf);
  }

  /** The text of a request as a client shows it: each chunk once, in the order they came; known ones are told by `seq`. */
  textOf(id: string): string {
    let text = "";
    let applied = -1;
    for (const frame of this.framesOf(id)) {
      const isKnown = frame.replay === true && frame.seq !== undefined && frame.seq <= applied;
      applied = Math.max(applied, frame.seq ?? -1);
      if (isKnown) continue;
      for (const chunk of chunkOf(frame)) if (chunk.type === "text-delta") text += chunk.delta;
    }
    return text;
  }

  /** The last transcript that came, as `role: text`. */
  get transcript(): string[] {
    return shownTranscript(this.ofType("cf_agent_chat_messages").at(-1)?.messages ?? []);
  }

  close(): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.close(1000, "done");
  }
}

/** A conversation as `role: text`. */
export const shownTranscript = (messages: readonly UIMessage[]): string[] =>
  messages.map(({ role, parts }) => `${role}: ${parts.map((part) => ("text" in part ? part.text : "")).join("")}`);

/** The chunk in a frame, if there is one. */
export const chunkOf = ({ body, error }: Frame): UIMessageChunk[] =>
  body && error !== true ? [JSON.parse(body) as UIMessageChunk] : [];

const isResponseOf = (frame: Frame, id: string): boolean =>
  frame.type === "cf_agent_use_chat_response" && frame.id === id;

const CHAT_FRAMES = new Set([
  "cf_agent_use_chat_response",
  "cf_agent_chat_messages",
  "cf_agent_chat_clear",
  "cf_agent_stream_resuming",
  "cf_agent_stream_resume_none",
  "cf_agent_stream_pending",
  "cf_agent_message_updated",
  "cf_agent_chat_recovering",
]);

const parse = (data: unknown): Frame => {
  try {
    return JSON.parse(String(data)) as Frame;
  } catch {
    return { type: "not JSON", body: String(data) };
  }
};

const shown = (frame: Frame): string => JSON.stringify(frame).slice(0, 300);
