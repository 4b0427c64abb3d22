import type { Connection } from "agents";
import type { UIMessage } from "ai";
import type { ClaimedTurn, TurnRun } from "../engine/ports.ts";
import type { AnswerListener, TurnAudience } from "../turn/ports.ts";
import { ClientFrames } from "./client-frames.ts";
import { Ends } from "./ends.ts";
import type { WireNeeds } from "./needs.ts";
import { clearedFrame, transcriptFrame } from "./outgoing.ts";
import type { IsClientTool } from "./tool-calls.ts";
import { ToolTurns } from "./tool-turns.ts";
import { Transcript } from "./transcript.ts";
import { TurnFeed } from "./turn-feed.ts";
import { TurnLookup } from "./turn-lookup.ts";

/** The chat protocol, put together: frames of clients in, what turns do out. */
export class ChatWire implements TurnAudience {
  readonly #needs: WireNeeds;
  readonly #transcript: Transcript;
  readonly #ends: Ends;
  readonly #feed: TurnFeed;
  readonly #toolTurns: ToolTurns;
  readonly #frames: ClientFrames;
  #woken = false;

  constructor(needs: WireNeeds) {
    this.#needs = needs;
    const store = () => needs.parts().engine.store;
    const transcript = new Transcript(needs.parts);
    const ends = new Ends(store);
    const lookup = new TurnLookup(store);
    const toolTurns = new ToolTurns({
      ...needs,
      transcript,
      lookup,
      answeredLive: (part, toolCallId) => this.#feed.answered(part, toolCallId),
      settled: () => this.#feed.settle(),
    });
    this.#feed = new TurnFeed({
      ...needs,
      transcript,
      ends,
      goingOn: () => (toolTurns.continuations.isArmed ? toolTurns.continuations : undefined),
      ownerOf: (turnId) => toolTurns.continuations.ownerOf(turnId),
      left: (turnId) => toolTurns.turnLeft(turnId),
    });
    this.#frames = new ClientFrames({
      ...needs,
      transcript,
      ends,
      feed: this.#feed,
      toolTurns,
      cleared: (by) => this.cleared(by),
    });
    this.#transcript = transcript;
    this.#ends = ends;
    this.#toolTurns = toolTurns;
  }

  /** A connection is being set up: until it is, it hears nothing. */
  connecting(connection: Connection): void {
    this.#needs.audience.expect(connection);
  }

  async connected(connection: Connection): Promise<void> {
    const { audience } = this.#needs;
    await this.#ready();
    audience.join(connection);
    // A transcript would be put in the place of what the client has of the answer.
    if (this.#feed.handshake.connected(connection)) return;
    audience.send(connection, transcriptFrame(this.#transcript.messages(), { connect: true }));
  }

  disconnected(connection: Connection): void {
    this.#needs.audience.leave(connection);
    this.#feed.handshake.left(connection);
  }

  /** `false`: it is no frame of this protocol. */
  async received(connection: Connection, raw: string | ArrayBuffer | ArrayBufferView): Promise<boolean> {
    this.#needs.audience.join(connection);
    return this.#frames.received(connection, raw);
  }

  /** The transcript, for who asks over HTTP. */
  async transcript(): Promise<UIMessage[]> {
    await this.#needs.parts().conversation.ready();
    return this.#transcript.messages();
  }

  begins(claimed: ClaimedTurn): AnswerListener {
    return this.#feed.begins(claimed);
  }

  turnLeft(turnId: string, run: TurnRun): void {
    this.#feed.turnLeft(turnId, run);
  }

  /** Nobody is shown the conversation while it is being cleared. */
  whileClearing<T>(clear: () => Promise<T>): Promise<T> {
    return this.#feed.whileClearing(clear);
  }

  /** The conversation was changed by hand. */
  changed(): void {
    this.#feed.tellTranscript();
  }

  /** The conversation was cleared; who did it knows. */
  cleared(by?: Connection): void {
    this.#toolTurns.continuations.disarm();
    this.#ends.forget();
    this.#feed.handshake.cancelled();
    this.#needs.audience.tell(clearedFrame(), by?.id);
  }

  /** Is an answer to go on by itself, as soon as all is there? */
  get isGoingOn(): boolean {
    return this.#toolTurns.continuations.isArmed;
  }

  /** The tools that clients run, in the turn that wrote this message. */
  clientToolsFor(message: UIMessage): IsClientTool {
    return this.#toolTurns.clientToolsFor(message);
  }

  /** The alarm for calls that wait rang. Returns when it is to ring next. */
  interactionsDue(): Promise<number | undefined> {
    return this.#toolTurns.rang();
  }

  async #ready(): Promise<void> {
    await this.#needs.parts().conversation.ready();
    if (this.#woken) return;
    this.#woken = true;
    if (this.#feed.expected() === undefined) this.#toolTurns.woken();
  }
}
