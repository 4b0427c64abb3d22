// What clients send, read and checked. Whoever acts on a frame finds in it what the protocol says, or why it is not there.
import { ThinkInputError } from "../errors.ts";
import { FRAMES } from "./adapter.ts";
import { type ChatRequest, readChatRequest } from "./chat-request.ts";
import { type Fields, isObject, requireIdentifier } from "./fields.ts";
import { glance, isTooLarge, MAX_FRAME_BYTES } from "./frame-size.ts";
import { readToolApproval, readToolResult, type ToolApproval, type ToolResult } from "./tool-frames.ts";

/** A frame of this protocol that cannot be used. With a request's id: somebody waits for the end of that request. */
export type Malformed = {
  readonly kind: "malformed";
  readonly requestId?: string;
  readonly field: string;
  readonly error: string;
};

export type Incoming =
  | ChatRequest
  | { readonly kind: "cancel"; readonly requestId: string }
  | { readonly kind: "clear" }
  /** The client's own view of the conversation, which the server never takes over. */
  | { readonly kind: "transcript" }
  | { readonly kind: "resume-request"; readonly probeId?: string }
  | { readonly kind: "resume-ack"; readonly requestId: string }
  | ToolResult
  | ToolApproval
  | Malformed;

/** What only servers say is not here: from a client it is none of this protocol. */
const readers: ReadonlyMap<unknown, (frame: Fields) => Incoming> = new Map<unknown, (frame: Fields) => Incoming>([
  [FRAMES.USE_CHAT_REQUEST, readChatRequest],
  [FRAMES.CHAT_REQUEST_CANCEL, ({ id }) => ({ kind: "cancel", requestId: requireIdentifier(id, "id") })],
  [FRAMES.CHAT_CLEAR, () => ({ kind: "clear" })],
  [FRAMES.CHAT_MESSAGES, () => ({ kind: "transcript" })],
  [FRAMES.STREAM_RESUME_REQUEST, readResumeRequest],
  [FRAMES.STREAM_RESUME_ACK, ({ id }) => ({ kind: "resume-ack", requestId: requireIdentifier(id, "id") })],
  [FRAMES.TOOL_RESULT, readToolResult],
  [FRAMES.TOOL_APPROVAL, readToolApproval],
]);

/**
 * Read one frame. It never throws, and a foreign frame costs one search: it is not parsed.
 *
 * @returns `undefined` when the frame is none of this protocol and belongs to the agent's own `onMessage`.
 */
export function readFrame(raw: string | ArrayBuffer | ArrayBufferView): Incoming | undefined {
  if (typeof raw !== "string" || !raw.includes("cf_agent_")) return undefined;
  if (isTooLarge(raw)) return tooLarge(raw);
  const frame = parse(raw);
  const reader = readers.get(frame?.["type"]);
  if (!frame || !reader) return undefined;
  try {
    return reader(frame);
  } catch (error) {
    if (!(error instanceof ThinkInputError)) throw error;
    return malformed(error.field, error.message, waitingRequest(frame));
  }
}

/** The probe's id only goes back to the one who sent it: one that is no text is as good as none. */
function readResumeRequest({ probeId }: Fields): Incoming {
  if (typeof probeId !== "string") return { kind: "resume-request" };
  return { kind: "resume-request", probeId: requireIdentifier(probeId, "probeId") };
}

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function tooLarge(text: string): Malformed | undefined {
  const { type, requestId } = glance(text);
  if (!readers.has(type)) return undefined;
  return malformed("frame", `frame is larger than ${MAX_FRAME_BYTES} bytes`, requestId);
}

/** Of a frame that is no request nobody waits for the end; and an answer under a cancelled id would end that one. */
function waitingRequest({ type, id }: Fields): string | undefined {
  if (type !== FRAMES.USE_CHAT_REQUEST) return undefined;
  try {
    return requireIdentifier(id, "id");
  } catch {
    return undefined;
  }
}

const malformed = (field: string, error: string, requestId: string | undefined): Malformed => ({
  kind: "malformed",
  ...(requestId !== undefined && { requestId }),
  field,
  error,
});
