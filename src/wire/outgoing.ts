import { STREAM_RESUME_NONE_REASONS } from "agents/chat";
import type { UIMessage } from "ai";
import { FRAME } from "./frame-types.ts";

/** The server's frames, as the JSON text that is sent. Members that are not given are absent. */

/** How a turn ended, as clients hear it. */
export type WireOutcome = "completed" | "error" | "aborted" | "skipped";

type ChunkFrame = {
  readonly id: string;
  /** The chunk's JSON: made once for all who get it. */
  readonly chunk: string;
  readonly seq: number;
  readonly continuation: boolean;
  readonly replay?: boolean;
};

/** Called for every chunk and every client, so it puts the text together by hand. */
export const chunkFrame = ({ id, chunk, seq, continuation, replay = false }: ChunkFrame): string =>
  `{"type":"${FRAME.USE_CHAT_RESPONSE}","id":${JSON.stringify(id)},"body":${JSON.stringify(chunk)},"done":false,"seq":${seq}${
    continuation ? ',"continuation":true' : ""
  }${replay ? ',"replay":true' : ""}}`;

type TerminalFrame = {
  readonly id: string;
  readonly outcome: WireOutcome;
  /** Why it failed. Any text on a failed turn ends the client's stream with it. */
  readonly error?: string | undefined;
  readonly continuation?: boolean;
  readonly replay?: boolean;
  /** The user's messages that it answered. */
  readonly messageIds?: readonly string[] | undefined;
};

export const terminalFrame = ({ id, outcome, error, continuation, replay, messageIds }: TerminalFrame): string =>
  JSON.stringify({
    type: FRAME.USE_CHAT_RESPONSE,
    id,
    body: outcome === "error" ? (error ?? "") : "",
    done: true,
    outcome,
    ...(outcome === "error" && { error: true }),
    ...(continuation && { continuation }),
    ...(replay && { replay }),
    ...(messageIds && messageIds.length > 0 && { messageIds }),
  });

/** All that was said so far has been sent again; what follows is new. */
export const replayCompleteFrame = (id: string, continuation: boolean): string =>
  JSON.stringify({
    type: FRAME.USE_CHAT_RESPONSE,
    id,
    body: "",
    done: false,
    replay: true,
    replayComplete: true,
    ...(continuation && { continuation }),
  });

/** @param connect - The first one of a connection: messages that the client has not sent yet stay. */
export const transcriptFrame = (messages: readonly UIMessage[], connect = false): string =>
  JSON.stringify({ type: FRAME.CHAT_MESSAGES, messages, ...(connect && { connect }) });

export const messageUpdatedFrame = (message: UIMessage): string =>
  JSON.stringify({ type: FRAME.MESSAGE_UPDATED, message });

export const clearedFrame = (): string => JSON.stringify({ type: FRAME.CHAT_CLEAR });

const withProbe = (probeId: string | undefined) => (probeId === undefined ? {} : { probeId });

export const resumingFrame = (id: string, probeId?: string): string =>
  JSON.stringify({ type: FRAME.STREAM_RESUMING, id, ...withProbe(probeId) });

export const resumeNoneFrame = (reason: "idle" | "continuation-owned", probeId?: string): string =>
  JSON.stringify({
    type: FRAME.STREAM_RESUME_NONE,
    reason: reason === "idle" ? STREAM_RESUME_NONE_REASONS.IDLE : STREAM_RESUME_NONE_REASONS.CONTINUATION_OWNED,
    ...withProbe(probeId),
  });

export const pendingFrame = (id: string | undefined, probeId?: string): string =>
  JSON.stringify({ type: FRAME.STREAM_PENDING, ...(id !== undefined && { id }), ...withProbe(probeId) });
