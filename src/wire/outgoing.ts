// What the server says, as the JSON text that goes on the socket: built once, sent to every connection.
import type { UIMessage } from "ai";
import { type ChatTurnOutcome, FRAMES, type ResumeNoneReason } from "./adapter.ts";

/** Members that are `undefined` are not in the frame: for clients absent and false are one. */
const text = (type: string, members: object = {}): string => JSON.stringify({ type, ...members });

/** A flag that is not set is not there. */
const flag = (set: boolean | undefined): true | undefined => (set ? true : undefined);

type Marks = {
  /** The frame is of a turn that goes on with the last answer. */
  readonly continuation?: boolean | undefined;
  /** The frame is from the store, not from the model. */
  readonly replay?: boolean | undefined;
};

const marks = ({ continuation, replay }: Marks) => ({ continuation: flag(continuation), replay: flag(replay) });

const BEGIN_RESPONSE = `{"type":${JSON.stringify(FRAMES.USE_CHAT_RESPONSE)},"id":`;

/**
 * One chunk of an answer. It is given as the JSON it is stored as, and put together by hand: a long answer has
 * thousands.
 */
export function chunkFrame(
  frame: { readonly id: string; readonly chunk: string; readonly seq?: number | undefined } & Marks,
): string {
  const seq = frame.seq === undefined ? "" : `,"seq":${frame.seq}`;
  const continuation = frame.continuation ? ',"continuation":true' : "";
  const replay = frame.replay ? ',"replay":true' : "";
  const body = JSON.stringify(frame.chunk);
  return `${BEGIN_RESPONSE}${JSON.stringify(frame.id)},"body":${body},"done":false${seq}${continuation}${replay}}`;
}

/** The model's stream broke: clients end theirs with this text, and the terminal frame follows. */
export const errorChunkFrame = ({
  id,
  error,
  messageIds,
  ...rest
}: {
  readonly id: string;
  readonly error: string;
  readonly messageIds?: readonly string[] | undefined;
} & Marks): string =>
  text(FRAMES.USE_CHAT_RESPONSE, { id, body: error, done: false, error: true, ...marks(rest), messageIds });

type Terminal = Marks & {
  readonly id: string;
  readonly outcome?: ChatTurnOutcome | undefined;
  /** What went wrong, for people. */
  readonly error?: string | undefined;
  /** What there is to say of a turn that did not go wrong, but has no answer. */
  readonly notice?: string | undefined;
  /** The user messages that the request came with. */
  readonly messageIds?: readonly string[] | undefined;
};

/** A request has ended. Without an outcome clients take it for completed, or for an error if they saw one. */
export const terminalFrame = ({ id, outcome, error, notice = "", messageIds, ...rest }: Terminal): string =>
  text(FRAMES.USE_CHAT_RESPONSE, {
    id,
    body: error ?? notice,
    done: true,
    error: flag(error !== undefined),
    ...marks(rest),
    messageIds,
    outcome,
  });

/** All that is stored was sent; what follows comes from the model. */
export const replayCompleteFrame = ({ id, continuation }: { readonly id: string } & Omit<Marks, "replay">): string =>
  text(FRAMES.USE_CHAT_RESPONSE, {
    id,
    body: "",
    done: false,
    ...marks({ continuation, replay: true }),
    replayComplete: true,
  });

/** The conversation as it is. On connect clients keep what they could not send yet; at any other time it is all there is. */
export const transcriptFrame = (
  messages: readonly UIMessage[],
  { connect }: { readonly connect?: boolean | undefined } = {},
): string => text(FRAMES.CHAT_MESSAGES, { messages, connect: flag(connect) });

export const clearedFrame = (): string => text(FRAMES.CHAT_CLEAR);

/** There is a stream, or the error one ended with, for whoever acknowledges this. */
export const resumingFrame = (id: string, probeId?: string): string => text(FRAMES.STREAM_RESUMING, { id, probeId });

/** Without a reason it says only that what was waited for will not come. */
export const resumeNoneFrame = (reason?: ResumeNoneReason, probeId?: string): string =>
  text(FRAMES.STREAM_RESUME_NONE, { reason, probeId });

/** A turn is accepted and has no stream yet: keep waiting. */
export const pendingFrame = (id?: string, probeId?: string): string => text(FRAMES.STREAM_PENDING, { id, probeId });

export const messageUpdatedFrame = (message: UIMessage): string => text(FRAMES.MESSAGE_UPDATED, { message });

export const recoveringFrame = (recovering: boolean, id?: string): string =>
  text(FRAMES.CHAT_RECOVERING, { recovering, id });
