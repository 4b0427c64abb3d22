import type { Connection } from "agents";
import type { UIMessage } from "ai";
import { turnStream } from "../events/index.ts";
import { ENGINE } from "../engine/cause.ts";
import { report } from "../engine/console.ts";
import { answerId } from "../turn/answer-id.ts";
import type { MessagePart } from "./adapter.ts";
import { Continuations } from "./continuations.ts";
import { Expiry } from "./expiry.ts";
import { causeOfFrame, Interactions, type ToolAnswer } from "./interactions.ts";
import type { WireNeeds } from "./needs.ts";
import { messageUpdatedFrame } from "./outgoing.ts";
import type { IsClientTool } from "./tool-calls.ts";
import type { Transcript } from "./transcript.ts";
import type { TurnLookup } from "./turn-lookup.ts";

type ToolTurnParts = WireNeeds & {
  readonly transcript: Transcript;
  readonly lookup: TurnLookup;
  /** Put the part in the place of the call's, in the answer that streams. */
  readonly answeredLive: (part: MessagePart, toolCallId: string) => void;
  /** Nothing may be expected any more: those who wait are to know. */
  readonly settled: () => void;
};

/** Calls that wait for somebody: their answers, the turns that go on from them, and the end of waiting. */
export class ToolTurns {
  readonly continuations: Continuations;
  readonly #parts: ToolTurnParts;
  readonly #interactions: Interactions;
  readonly #expiry: Expiry;

  constructor(parts: ToolTurnParts) {
    this.#parts = parts;
    const clientToolsFor = (message: UIMessage): IsClientTool => this.clientToolsFor(message);
    this.continuations = new Continuations(parts);
    this.#interactions = new Interactions({ ...parts, clientToolsFor });
    this.#expiry = new Expiry({
      ...parts,
      clientToolsFor,
      expire: (message, part, fact) => this.#interactions.expire(message, part, fact),
    });
  }

  /** The tools that clients run, in the turn that wrote this message. */
  clientToolsFor(message: UIMessage): IsClientTool {
    const { isOwnClientTool, lookup } = this.#parts;
    const ofTurn = lookup.clientToolsOf(message);
    return (name) => ofTurn.has(name) || isOwnClientTool(name);
  }

  async answered(connection: Connection, frame: ToolAnswer): Promise<void> {
    const { parts, isReadonly } = this.#parts;
    if (isReadonly(connection)) {
      await parts().conversation.ready();
      return this.#sendBack(connection, frame.toolCallId);
    }
    const { taken, message } = await this.#interactions.answer(frame, causeOfFrame(connection));
    if (!taken || !message) return this.#sendBack(connection, frame.toolCallId);
    this.#taken(connection, frame, message);
    await this.#expiry.look();
  }

  /** A turn has ended: its calls wait from now on, and what was answered meanwhile may go on. */
  turnLeft(turnId: string): void {
    this.continuations.ended(turnId);
    const { turn } = this.#parts.parts().engine.store.justWritten(turnStream(turnId));
    // Who stops an answer does not want it to go on.
    if (turn?.status === "aborted") this.continuations.disarm(answerId(turn));
    // Without a break the lane may be at work on the next; what goes on is queued behind it.
    if (this.continuations.isArmed) queueMicrotask(() => this.goOn());
    this.#expiry.lookSoon();
  }

  /** The alarm rang: calls that waited for too long end. */
  async rang(): Promise<number | undefined> {
    const ended = await this.#expiry.rang();
    for (const message of ended) this.#tell(message);
    const newest = ended.at(-1);
    if (newest && this.continuations.isAskedFor(newest.id)) this.continuations.arm(newest.id);
    this.goOn();
    return this.#expiry.next();
  }

  /** An object has woken: an answer may have come in its earlier life that was to go on. */
  woken(): void {
    this.continuations.takeUp();
    this.goOn();
    this.#expiry.lookSoon();
  }

  goOn(): void {
    const { parts, settled } = this.#parts;
    const newest = parts().conversation.messages().at(-1);
    const isClientTool = newest ? this.clientToolsFor(newest) : () => false;
    try {
      const admitted = this.continuations.next(isClientTool, { actor: ENGINE, causationId: "answered" });
      if (admitted) void parts().engine.admission.start(admitted);
      else settled();
    } catch (error) {
      report("An answer could not go on by itself", error);
    }
  }

  #taken(connection: Connection, frame: ToolAnswer, message: UIMessage): void {
    const tools = frame.kind === "tool-result" ? frame.clientTools : undefined;
    this.#parts.inputs().answer(tools);
    this.#tell(message);
    if (frame.autoContinue || (!this.continuations.isArmed && this.continuations.isAskedFor(message.id))) {
      this.continuations.arm(message.id, connection.id, tools?.length ? JSON.stringify(tools) : undefined);
    }
    this.goOn();
  }

  #tell(message: UIMessage): void {
    const { audience, transcript } = this.#parts;
    if (!audience.isEmpty) audience.tell(messageUpdatedFrame(transcript.messageOf(message.id) ?? message));
  }

  /** The client has made up its own picture of the call: it gets the message as it is. */
  #sendBack(connection: Connection, toolCallId: string): void {
    const { audience, transcript } = this.#parts;
    const holder = this.#interactions.holderOf(toolCallId);
    if (holder) audience.send(connection, messageUpdatedFrame(transcript.messageOf(holder.id) ?? holder));
  }
}
