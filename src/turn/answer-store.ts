import type { Streams, StreamWriter } from "agents/streams";
import { report } from "../engine/console.ts";
import type { Turn } from "../commands/index.ts";
import type { AnswerStreams, AttemptId, InterruptedAnswer } from "../engine/ports.ts";
import type { UIMessage, UIMessageChunk } from "./ai-sdk.ts";
import { answerId } from "./answer-id.ts";
import { answeredElsewhere } from "./answered-elsewhere.ts";
import { AnswerMessage } from "./answer-message.ts";

/** What may be lost when the object stops: so many characters, or so many milliseconds. A short answer writes nothing. */
const FLUSH_LENGTH = 64 * 1024;
const FLUSH_MS = 1_000;

/** Of one segment: in a row of SQLite, with room for what stands around it. */
export const MAX_SEGMENT_BYTES = 1_900_000;

/** Longer chunks are not kept: a row has its limit. They are still sent to who listens. */
export const MAX_CHUNK_LENGTH = 600_000;

/** What is kept of an answer beside its chunks: a call of it that a client answered while it streamed. */
const ANSWERED = "thinklog-answered";
type AnsweredPart = {
  readonly type: typeof ANSWERED;
  readonly part: UIMessage["parts"][number];
  readonly toolCallId: string;
};

/** A subclass may have streams of its own. */
const PREFIX = "thinklog/answer/";

const streamId = ({ ordinal, epoch }: AttemptId): string => `${PREFIX}${ordinal}/${epoch}`;

/** Answers as they stream, kept in `agents/streams` until the commit that ends their attempt. */
export class AnswerStore implements AnswerStreams {
  readonly #streams: Streams;
  readonly #keepers = new Map<string, AnswerKeeper>();

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  keep(attempt: AttemptId): AnswerKeeper {
    const id = streamId(attempt);
    const keeper = new AnswerKeeper(() => this.#streams.open(id));
    this.#keepers.set(id, keeper);
    return keeper;
  }

  discard(attempt: AttemptId): void {
    const id = streamId(attempt);
    this.#keepers.get(id)?.discard();
    this.#keepers.delete(id);
  }

  async sweep(): Promise<void> {
    const left = await this.#streams.list({ state: "streaming" });
    for (const { streamId } of left.filter(({ streamId }) => streamId.startsWith(PREFIX))) {
      (await this.#streams.open(streamId)).close({ discard: true });
    }
  }

  async interrupted(turn: Turn): Promise<InterruptedAnswer | undefined> {
    const id = streamId(turn);
    const status = await this.#streams.status(id);
    if (status?.state !== "streaming") return undefined;
    const writer = await this.#streams.open(id);
    const answer = new AnswerMessage(answerId(turn));
    for await (const kept of this.#kept(id, status.cursor)) {
      if (kept.type === ANSWERED) answer.replace(kept.part, kept.toolCallId);
      else answer.apply(kept);
    }
    const message = answer.stored();
    return {
      ...(message && { message }),
      changed: (messages) => answeredElsewhere(answer.elsewhere, messages),
      discard: () => writer.close({ discard: true }),
    };
  }

  /** A stream that nobody settles is followed for ever, so it is read up to where it ends now. */
  async *#kept(id: string, end: number): AsyncGenerator<UIMessageChunk | AnsweredPart> {
    if (end === 0) return;
    for await (const { seq, chunk } of this.#streams.read(id)) {
      for (const text of chunk as string[]) yield JSON.parse(text) as UIMessageChunk | AnsweredPart;
      if (seq + 1 >= end) return;
    }
  }
}

/** The chunks of one attempt, written in segments. Keeping them never fails a turn. */
export class AnswerKeeper {
  readonly #open: () => Promise<StreamWriter>;
  #writer: StreamWriter | undefined;
  #opening = false;
  #discarded = false;
  #segment: string[] = [];
  #length = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(open: () => Promise<StreamWriter>) {
    this.#open = open;
  }

  /** A client answered a call of the answer. */
  addAnswer(part: UIMessage["parts"][number], toolCallId: string): void {
    this.add(JSON.stringify({ type: ANSWERED, part, toolCallId } satisfies AnsweredPart), true);
  }

  /** @param now - Not to be lost: what a tool did. */
  add(text: string, now: boolean): void {
    if (this.#discarded || text.length > MAX_CHUNK_LENGTH) return;
    this.#segment.push(text);
    this.#length += text.length;
    if (now || this.#length >= FLUSH_LENGTH) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  /** Synchronous: part of the commit that ends the attempt. */
  discard(): void {
    this.#discarded = true;
    this.#segment = [];
    clearTimeout(this.#timer);
    this.#writer?.close({ discard: true });
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#discarded || this.#segment.length === 0) return;
    if (!this.#writer) return this.#begin();
    try {
      this.#writer.append(this.#segment);
    } catch (error) {
      this.#giveUp(error);
    }
    this.#segment = [];
    this.#length = 0;
  }

  #begin(): void {
    if (this.#opening) return;
    this.#opening = true;
    this.#open()
      .then((writer) => {
        if (this.#discarded) return writer.close({ discard: true });
        this.#writer = writer;
        this.#flush();
      })
      .catch((error: unknown) => this.#giveUp(error));
  }

  #giveUp(error: unknown): void {
    report("A streamed answer cannot be kept for after a restart; it is still answered", error);
    this.#discarded = true;
    this.#segment = [];
  }
}
