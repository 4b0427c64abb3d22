import type { Connection } from "agents";
import type { UIMessage } from "ai";
import { isTerminal } from "../commands/index.ts";
import { turnStream } from "../events/index.ts";
import { cancelTurn } from "../engine/cancel-turns.ts";
import { ENGINE } from "../engine/cause.ts";
import { report } from "../engine/console.ts";
import { messageOf } from "../engine/message-of.ts";
import { ThinkInputError } from "../errors.ts";
import type { ClaimedTurn, TurnRun } from "../engine/ports.ts";
import type { AnswerStore } from "../turn/answer-store.ts";
import type { AnswerListener, TurnAudience } from "../turn/ports.ts";
import type { Audience } from "./audience.ts";
import type { ClientInputs } from "./client-inputs.ts";
import type { MessageConcurrency } from "./concurrency.ts";
import { Continuations } from "./continuations.ts";
import { Ends } from "./ends.ts";
import { Handshake } from "./handshake.ts";
import type { ChatRequest } from "./chat-request.ts";
import { type Incoming, readFrame } from "./incoming.ts";
import { causeOfFrame, Interactions, type ToolAnswer } from "./interactions.ts";
import { LiveAnswer } from "./live-answer.ts";
import { clearedFrame, messageUpdatedFrame, terminalFrame, transcriptFrame } from "./outgoing.ts";
import type { WireParts } from "./parts.ts";
import { RequestIntake } from "./request-intake.ts";
import { shownChunks } from "./shown-chunks.ts";
import type { IsClientTool } from "./tool-calls.ts";
import { Transcript } from "./transcript.ts";
import { TurnLookup } from "./turn-lookup.ts";

/** What the wire needs from the agent. */
export type WireNeeds = {
  readonly audience: Audience;
  readonly answers: AnswerStore;
  /** Once the agent has started. */
  readonly parts: () => WireParts;
  readonly inputs: () => ClientInputs;
  readonly strategy: () => MessageConcurrency;
  /** Is it a tool of the agent's own that it leaves to clients? */
  readonly isOwnClientTool: IsClientTool;
  readonly isReadonly: (connection: Connection) => boolean;
  /** The request cannot be used: the agent hears of it, and says in which words the client does. */
  readonly refused: (error: unknown, requestId: string | undefined) => unknown;
  readonly clear: () => Promise<void>;
  readonly now: () => number;
  readonly uuid: () => string;
};

/** A chunk's number in the next attempt is higher than all in this one. */
const SEQ_PER_ATTEMPT = 1_000_000;

/** Turns that clients wait for. */
const FOR_CLIENTS = ["ws-chat", "auto-continuation"];

/** The chat protocol: frames of clients in, what turns do out. */
export class ChatWire implements TurnAudience {
  readonly #needs: WireNeeds;
  readonly #transcript: Transcript;
  readonly #ends: Ends;
  readonly #handshake: Handshake;
  readonly #requests: RequestIntake;
  readonly #lookup: TurnLookup;
  readonly #interactions: Interactions;
  readonly #continuations: Continuations;
  #live: LiveAnswer | undefined;
  #failed: LiveAnswer | undefined;
  /** Requests that are being accepted: one that is cancelled meanwhile ends as soon as it is on record. */
  readonly #arriving = new Map<string, { cancelled: boolean }>();
  #woken = false;

  constructor(needs: WireNeeds) {
    this.#needs = needs;
    const { parts, inputs, audience, strategy, now, uuid } = needs;
    const store = () => parts().engine.store;
    this.#transcript = new Transcript(parts);
    this.#ends = new Ends(store);
    this.#lookup = new TurnLookup(store);
    this.#requests = new RequestIntake({ parts, inputs, strategy, now });
    this.#continuations = new Continuations({ parts, inputs, lookup: this.#lookup, uuid });
    this.#interactions = new Interactions({
      parts,
      lookup: this.#lookup,
      clientToolsFor: (message) => this.clientToolsFor(message),
    });
    this.#handshake = new Handshake({
      audience,
      ends: this.#ends,
      live: () => this.#live,
      failed: () => this.#failed,
      expected: () => this.#expected(),
      ownerOf: (turnId) => this.#continuations.ownerOf(turnId),
    });
  }

  async connected(connection: Connection): Promise<void> {
    const { audience, parts } = this.#needs;
    audience.join(connection);
    await parts().conversation.ready();
    this.#wake();
    // A transcript would be put in the place of what the client has of the answer.
    if (this.#handshake.connected(connection)) return;
    audience.send(connection, transcriptFrame(this.#transcript.messages(), { connect: true }));
  }

  disconnected(connection: Connection): void {
    this.#needs.audience.leave(connection);
    this.#handshake.left(connection);
  }

  /** `false`: it is no frame of this protocol. */
  async received(connection: Connection, raw: string | ArrayBuffer | ArrayBufferView): Promise<boolean> {
    const frame = readFrame(raw);
    if (!frame) return false;
    this.#needs.audience.join(connection);
    try {
      await this.#handle(connection, frame);
    } catch (error) {
      report("A frame of a client could not be handled", error);
      const requestId = frame.kind === "chat-request" ? frame.requestId : undefined;
      this.#refuse(connection, requestId, error);
    }
    return true;
  }

  /** The transcript, for who asks over HTTP. */
  async transcript(): Promise<UIMessage[]> {
    await this.#needs.parts().conversation.ready();
    return this.#transcript.messages();
  }

  begins(claimed: ClaimedTurn): AnswerListener {
    const { audience, answers } = this.#needs;
    const { submitted, ordinal, attempts } = claimed.turn;
    const { continuation = false, origin, trigger } = submitted;
    const turn = { id: claimed.turnId, continuation, firstSeq: (attempts - 1) * SEQ_PER_ATTEMPT };
    const kept = FOR_CLIENTS.includes(trigger) || !audience.isEmpty;
    const live = new LiveAnswer(turn, {
      audience,
      keeper: kept ? answers.keep({ ordinal, epoch: claimed.epoch }) : undefined,
      show: shownChunks({ continuation, structured: origin?.schema !== undefined }),
    });
    this.#live = live;
    // The client that sent a request has its messages; of all other turns nobody has them.
    if (trigger !== "ws-chat" && !continuation) this.#tellTranscript();
    this.#handshake.began(live);
    return live;
  }

  /** A turn has ended, its answer is stored. Clients hear of it before any hook. */
  turnLeft(turnId: string, { thrown }: TurnRun): void {
    const { audience, parts } = this.#needs;
    const { turn } = parts().engine.store.justWritten(turnStream(turnId));
    const live = this.#live?.turn.id === turnId ? this.#live : undefined;
    if (live) this.#live = undefined;
    if (turn) this.#ends.ended(turn);
    this.#failed = turn?.status === "error" ? live : undefined;
    this.#continuations.ended(turnId);
    if (!audience.isEmpty) {
      this.#tellTranscript();
      const isOfAnswer = live !== undefined && thrown === undefined;
      // Who has not asked for the answer yet gets its end when it does.
      for (const frame of this.#ends.framesOf(turnId, isOfAnswer)) audience.stream(frame);
    }
    // Without a break the lane may be at work on the next; what goes on is queued behind it.
    if (this.#continuations.isArmed) queueMicrotask(() => this.#goOn());
    if (this.#handshake.hasParked && this.#expected() === undefined) this.#handshake.cancelled();
  }

  /** The conversation was cleared; who did it knows. */
  cleared(by?: Connection): void {
    this.#continuations.disarm();
    this.#ends.forget();
    this.#handshake.cancelled();
    this.#needs.audience.tell(clearedFrame(), by?.id);
  }

  /** Is something to go on by itself, as soon as all is there? */
  get isGoingOn(): boolean {
    return this.#continuations.isArmed;
  }

  /** The tools that clients run, in the turn that wrote this message. */
  clientToolsFor(message: UIMessage): IsClientTool {
    const { isOwnClientTool } = this.#needs;
    const ofTurn = this.#lookup.clientToolsOf(message);
    return (name) => ofTurn.has(name) || isOwnClientTool(name);
  }

  async #handle(connection: Connection, frame: Incoming): Promise<void> {
    switch (frame.kind) {
      case "chat-request":
        return this.#request(connection, frame);
      case "tool-result":
      case "tool-approval":
        return this.#answer(connection, frame);
      case "cancel":
        return this.#cancel(connection, frame.requestId);
      case "clear":
        return this.#clear(connection);
      case "resume-request":
        await this.#needs.parts().conversation.ready();
        return this.#handshake.requested(connection, frame.probeId);
      case "resume-ack":
        return this.#handshake.acknowledged(connection, frame.requestId);
      case "malformed":
        return this.#refuse(connection, frame.requestId, new ThinkInputError("malformed", frame.field, frame.error));
      case "transcript":
        return warnOfTranscript();
      default:
        return frame satisfies never;
    }
  }

  async #request(connection: Connection, frame: ChatRequest): Promise<void> {
    const { audience, parts } = this.#needs;
    if (this.#needs.isReadonly(connection)) return this.#refuse(connection, frame.requestId, new Error(READONLY));
    const arriving = { cancelled: false };
    this.#arriving.set(frame.requestId, arriving);
    try {
      const cause = causeOfFrame(connection);
      const accepted = await this.#requests.accept(frame, cause);
      if (accepted.kind === "dropped") {
        audience.send(connection, transcriptFrame(this.#transcript.messages()));
        audience.send(connection, terminalFrame({ id: frame.requestId, outcome: "skipped" }));
        return;
      }
      if (accepted.kind === "known") {
        const end = this.#ends.frameOf(frame.requestId);
        if (end !== undefined) audience.send(connection, end);
        return;
      }
      this.#ends.forget();
      if (arriving.cancelled) cancelTurn(parts().engine, frame.requestId, undefined, cause);
      if (!audience.isEmpty) audience.tell(transcriptFrame(this.#transcript.messages()), connection.id);
      await parts().engine.admission.start(accepted.admitted);
    } catch (error) {
      this.#refuse(connection, frame.requestId, error);
    } finally {
      this.#arriving.delete(frame.requestId);
    }
  }

  async #answer(connection: Connection, frame: ToolAnswer): Promise<void> {
    const { audience } = this.#needs;
    if (this.#needs.isReadonly(connection)) {
      await this.#needs.parts().conversation.ready();
      return this.#sendBack(connection, frame.toolCallId);
    }
    const { taken, message } = await this.#interactions.answer(frame, causeOfFrame(connection));
    if (!taken) return this.#sendBack(connection, frame.toolCallId);
    const tools = frame.kind === "tool-result" ? frame.clientTools : undefined;
    this.#needs.inputs().answer(tools);
    if (message) audience.tell(messageUpdatedFrame(this.#transcript.messageOf(message.id) ?? message));
    if (frame.autoContinue) {
      this.#continuations.arm(connection.id, tools?.length ? JSON.stringify(tools) : undefined);
    } else if (message && !this.#continuations.isArmed && this.#continuations.wasAskedFor(message.id)) {
      this.#continuations.arm(connection.id);
    }
    this.#goOn();
  }

  /** The client has made up its own picture of the call: it gets the message as it is. */
  #sendBack(connection: Connection, toolCallId: string): void {
    const holder = this.#interactions.holderOf(toolCallId);
    if (!holder) return;
    this.#needs.audience.send(connection, messageUpdatedFrame(this.#transcript.messageOf(holder.id) ?? holder));
  }

  #goOn(): void {
    const newest = this.#needs.parts().conversation.messages().at(-1);
    const isClientTool = newest ? this.clientToolsFor(newest) : () => false;
    try {
      const admitted = this.#continuations.next(isClientTool, { actor: ENGINE, causationId: "answered" });
      if (admitted) void this.#needs.parts().engine.admission.start(admitted);
      if (!this.#continuations.isArmed && this.#expected() === undefined && this.#handshake.hasParked) {
        this.#handshake.cancelled();
      }
    } catch (error) {
      report("An answer could not go on by itself", error);
    }
  }

  #cancel(connection: Connection, requestId: string): void {
    if (this.#needs.isReadonly(connection)) return;
    const arriving = this.#arriving.get(requestId);
    if (arriving) arriving.cancelled = true;
    cancelTurn(this.#needs.parts().engine, requestId, undefined, causeOfFrame(connection));
  }

  async #clear(connection: Connection): Promise<void> {
    const { audience, clear, inputs, isReadonly } = this.#needs;
    if (isReadonly(connection)) {
      audience.send(connection, transcriptFrame(this.#transcript.messages()));
      return;
    }
    inputs().forget();
    await clear();
    this.cleared(connection);
  }

  /** With an id the client waits for an end, and gets one. */
  #refuse(connection: Connection, requestId: string | undefined, error: unknown): void {
    const said = this.#needs.refused(error, requestId);
    if (requestId === undefined) return;
    this.#needs.audience.send(connection, terminalFrame({ id: requestId, outcome: "error", error: messageOf(said) }));
  }

  /** Once in each life, when somebody is there to see it. */
  #wake(): void {
    if (this.#woken) return;
    this.#woken = true;
    if (!this.#expected()) this.#continuations.takeUp();
    this.#goOn();
  }

  /** The conversation was changed by hand. */
  changed(): void {
    this.#tellTranscript();
  }

  #tellTranscript(): void {
    const { audience } = this.#needs;
    if (!audience.isEmpty) audience.tell(transcriptFrame(this.#transcript.messages()));
  }

  /** A turn that clients wait for, and that has no answer yet. */
  #expected(): string | true | undefined {
    if (this.#continuations.isArmed) return true;
    const { engine } = this.#needs.parts();
    const next = engine.queue
      .all()
      .find(({ trigger, turnId }) => FOR_CLIENTS.includes(trigger) && turnId !== this.#live?.turn.id);
    const turn = next && engine.store.turn(turnStream(next.turnId)).turn;
    return turn && !isTerminal(turn.status) ? next.turnId : undefined;
  }
}

const READONLY = "This connection can only read: it cannot start turns.";

let warned = false;

function warnOfTranscript(): void {
  if (!warned) console.warn("[thinklog] Ignoring client-pushed chat messages: the server's own transcript counts.");
  warned = true;
}
