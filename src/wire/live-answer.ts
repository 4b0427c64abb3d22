import type { UIMessage, UIMessageChunk } from "ai";
import type { Connection } from "agents";
import { report } from "../engine/console.ts";
import type { AnswerKeeper } from "../turn/answer-store.ts";
import type { AnswerListener } from "../turn/ports.ts";
import type { Audience } from "./audience.ts";
import { chunkFrame, replayCompleteFrame } from "./outgoing.ts";
import type { ShowChunk } from "./shown-chunks.ts";

type LiveTurn = {
  readonly id: string;
  readonly continuation: boolean;
  /** Number of the first chunk. Higher in each attempt: a client drops chunks of a continuation that it has seen. */
  readonly firstSeq: number;
};

type LiveParts = {
  readonly audience: Audience;
  /** Absent: nobody is to see it again after a restart. */
  readonly keeper: AnswerKeeper | undefined;
  readonly show: ShowChunk;
};

/** The answer that is being streamed: sent on chunk by chunk, and from its beginning to who comes late. */
export class LiveAnswer implements AnswerListener {
  readonly turn: LiveTurn;
  readonly #parts: LiveParts;
  /** As JSON once somebody had to have it. */
  readonly #chunks: (UIMessageChunk | string)[] = [];

  constructor(turn: LiveTurn, parts: LiveParts) {
    this.turn = turn;
    this.#parts = parts;
  }

  chunk(chunk: UIMessageChunk): void {
    const { audience, keeper, show } = this.#parts;
    const shown = show(chunk);
    if (!shown) return;
    if (audience.isEmpty && !keeper) {
      this.#chunks.push(shown);
      return;
    }
    const text = jsonOf(shown);
    if (text === undefined) return;
    this.#chunks.push(text);
    keeper?.add(text, isSettlement(shown));
    if (!audience.isEmpty) audience.stream(this.#frame(text, this.#chunks.length - 1), this.turn.id);
  }

  /** A client answered a call of it: that is kept like what a tool did. */
  answered(part: UIMessage["parts"][number], toolCallId: string): void {
    this.#parts.keeper?.addAnswer(part, toolCallId);
  }

  /** Send all of it so far; what comes from here on is live. */
  replayTo(connection: Connection): void {
    const { audience } = this.#parts;
    this.repeatTo(connection);
    audience.send(connection, replayCompleteFrame(this.turn));
    audience.release(connection, this.turn.id);
  }

  /** Send all that was said, once more. */
  repeatTo(connection: Connection): void {
    this.#chunks.forEach((chunk, index) => {
      const text = typeof chunk === "string" ? chunk : jsonOf(chunk);
      if (text === undefined) return;
      this.#chunks[index] = text;
      this.#parts.audience.send(connection, this.#frame(text, index, true));
    });
  }

  #frame(chunk: string, index: number, replay = false): string {
    const { id, continuation, firstSeq } = this.turn;
    return chunkFrame({ id, chunk, seq: firstSeq + index, continuation, replay });
  }
}

/** A tool may give what is no JSON; what is stored of it tells more than a chunk that ends the turn. */
function jsonOf(chunk: UIMessageChunk): string | undefined {
  try {
    return JSON.stringify(chunk);
  } catch (error) {
    report("A part of an answer is no JSON; clients do not see it until it is stored", error);
    return undefined;
  }
}

/** What a tool did is not to be lost: it cannot be had again. */
const isSettlement = ({ type }: UIMessageChunk): boolean =>
  type === "tool-output-available" || type === "tool-output-error" || type === "tool-output-denied";
