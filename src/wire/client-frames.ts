import type { Connection } from "agents";
import type { EventData } from "../events/index.ts";
import type { Admitted } from "../engine/admission.ts";
import { report, warn } from "../engine/console.ts";
import { messageOf } from "../engine/message-of.ts";
import { ThinkInputError } from "../errors.ts";
import { cancelForClient } from "./cancel.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { Ends } from "./ends.ts";
import { type Incoming, readFrame } from "./incoming.ts";
import { causeOfFrame } from "./interactions.ts";
import type { WireNeeds } from "./needs.ts";
import { terminalFrame, transcriptFrame } from "./outgoing.ts";
import { RequestIntake } from "./request-intake.ts";
import type { ToolTurns } from "./tool-turns.ts";
import type { Transcript } from "./transcript.ts";
import type { TurnFeed } from "./turn-feed.ts";

type FrameParts = WireNeeds & {
  readonly transcript: Transcript;
  readonly ends: Ends;
  readonly feed: TurnFeed;
  readonly toolTurns: ToolTurns;
  readonly cleared: (by: Connection) => void;
};

/** A request that is being accepted, as often as it came. */
type Arriving = { cancelled: boolean; count: number };

/** What clients say: each frame has its effect, or its answer says why not. */
export class ClientFrames {
  readonly #parts: FrameParts;
  readonly #intake: RequestIntake;
  /** Requests that are being accepted: one that is cancelled meanwhile ends as soon as it is on record. */
  readonly #arriving = new Map<string, Arriving>();
  #warned = false;

  constructor(parts: FrameParts) {
    this.#parts = parts;
    this.#intake = new RequestIntake(parts);
  }

  /** `false`: it is no frame of this protocol. */
  async received(connection: Connection, raw: string | ArrayBuffer | ArrayBufferView): Promise<boolean> {
    const frame = readFrame(raw);
    if (!frame) return false;
    try {
      await this.#handle(connection, frame);
    } catch (error) {
      report("A frame of a client could not be handled", error);
    }
    return true;
  }

  #handle(connection: Connection, frame: Incoming): Promise<void> | void {
    const { feed, toolTurns } = this.#parts;
    switch (frame.kind) {
      case "chat-request":
        return this.#request(connection, frame);
      case "tool-result":
      case "tool-approval":
        return toolTurns.answered(connection, frame);
      case "cancel":
        return this.#cancel(connection, frame.requestId);
      case "clear":
        return this.#clear(connection);
      case "resume-request":
        return this.#resume(connection, frame.probeId);
      case "resume-ack":
        return feed.handshake.acknowledged(connection, frame.requestId);
      case "malformed":
        return this.#refuse(connection, frame.requestId, new ThinkInputError("malformed", frame.field, frame.error));
      case "transcript":
        return this.#ignoreTranscript();
      default:
        return frame satisfies never;
    }
  }

  async #request(connection: Connection, frame: ChatRequest): Promise<void> {
    const { isReadonly } = this.#parts;
    if (isReadonly(connection)) return this.#refuse(connection, frame.requestId, new Error(READONLY));
    const arriving = this.#arriving.get(frame.requestId) ?? { cancelled: false, count: 0 };
    this.#arriving.set(frame.requestId, arriving);
    arriving.count += 1;
    try {
      await this.#accept(connection, frame, arriving);
    } catch (error) {
      this.#refuse(connection, frame.requestId, error);
    } finally {
      arriving.count -= 1;
      if (arriving.count === 0) this.#arriving.delete(frame.requestId);
    }
  }

  async #accept(connection: Connection, frame: ChatRequest, arriving: Arriving): Promise<void> {
    const { audience, ends, transcript } = this.#parts;
    const id = frame.requestId;
    const accepted = await this.#intake.accept(frame, causeOfFrame(connection));
    switch (accepted.kind) {
      case "dropped":
        // The client shows the message already: it gets the conversation without it.
        audience.send(connection, transcriptFrame(transcript.messages()));
        audience.send(connection, terminalFrame({ id, outcome: "skipped" }));
        return;
      case "known": {
        const end = ends.frameOf(id);
        if (end !== undefined) audience.send(connection, end);
        return;
      }
      case "admitted":
        return this.#start(connection, accepted.admitted, arriving);
      default:
        return accepted satisfies never;
    }
  }

  async #start(connection: Connection, admitted: Admitted, arriving: Arriving): Promise<void> {
    const { ends, feed, parts } = this.#parts;
    ends.forget();
    // The lane takes it up, whatever becomes of telling others.
    const started = parts().engine.admission.start(admitted);
    feed.tellTranscript(isEdit(admitted.turn) ? undefined : connection.id);
    await started;
    if (arriving.cancelled) await cancelForClient(parts(), admitted.turn.turnId, causeOfFrame(connection));
  }

  async #cancel(connection: Connection, requestId: string): Promise<void> {
    const { isReadonly, parts } = this.#parts;
    if (isReadonly(connection)) return;
    const arriving = this.#arriving.get(requestId);
    if (arriving) arriving.cancelled = true;
    await cancelForClient(parts(), requestId, causeOfFrame(connection));
  }

  async #clear(connection: Connection): Promise<void> {
    const { audience, clear, cleared, inputs, isReadonly, transcript } = this.#parts;
    if (isReadonly(connection)) {
      // It shows an empty conversation already.
      audience.send(connection, transcriptFrame(transcript.messages()));
      return;
    }
    inputs().forget();
    await clear();
    cleared(connection);
    // What was on its way when it cleared may have shown it the old conversation again.
    audience.send(connection, transcriptFrame(transcript.messages()));
  }

  async #resume(connection: Connection, probeId: string | undefined): Promise<void> {
    const { feed, parts } = this.#parts;
    await parts().conversation.ready();
    feed.handshake.requested(connection, probeId);
  }

  /** With an id the client waits for an end, and gets one. */
  #refuse(connection: Connection, id: string | undefined, error: unknown): void {
    const { audience, refused } = this.#parts;
    const said = refused(error, id);
    if (id !== undefined) audience.send(connection, terminalFrame({ id, outcome: "error", error: messageOf(said) }));
  }

  #ignoreTranscript(): void {
    if (!this.#warned) warn("Ignoring client-pushed chat messages: the server's own transcript counts.");
    this.#warned = true;
  }
}

/** Who edited a message knows it under another id than the one that it has now. */
const isEdit = ({ branchFrom, messageIds }: EventData<"TurnSubmitted">): boolean =>
  branchFrom !== undefined && messageIds.length > 0;

const READONLY = "This connection can only read: it cannot start turns.";
