import type { ClientToolSchema } from "agents/chat";
import { ThinkInputError } from "../errors.ts";
import { checkIdentifier } from "../input/identifiers.ts";
import { checkClientTools } from "./client-tools.ts";
import { FRAME } from "./frame-types.ts";

/** Characters of one frame. A transcript that grows past this is not to be sent along with every request. */
export const MAX_FRAME_LENGTH = 8 * 1024 * 1024;

export type ToolResult =
  | { readonly state: "output-available"; readonly output: unknown }
  | { readonly state: "output-error"; readonly errorText: string | undefined };

/** A request to answer, as it came: its messages are not checked yet. */
export type ChatRequestFrame = {
  readonly kind: "chat-request";
  readonly requestId: string;
  readonly trigger: "submit-message" | "regenerate-message";
  readonly messages: readonly unknown[];
  /** `undefined`: those of the request before. */
  readonly clientTools: readonly ClientToolSchema[] | undefined;
  /** All other members. */
  readonly body: Record<string, unknown> | undefined;
};

export type ToolResultFrame = {
  readonly kind: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly result: ToolResult;
  readonly autoContinue: boolean;
  readonly clientTools: readonly ClientToolSchema[] | undefined;
};

export type ToolApprovalFrame = {
  readonly kind: "tool-approval";
  readonly toolCallId: string;
  readonly approved: boolean;
  readonly autoContinue: boolean;
};

export type Incoming =
  | ChatRequestFrame
  | ToolResultFrame
  | ToolApprovalFrame
  | { readonly kind: "cancel"; readonly requestId: string }
  | { readonly kind: "clear" }
  /** A transcript that the client has: the server's own is the one that counts. */
  | { readonly kind: "transcript" }
  | { readonly kind: "resume-request"; readonly probeId: string | undefined }
  | { readonly kind: "resume-ack"; readonly requestId: string }
  /** A frame of this protocol that cannot be used. */
  | { readonly kind: "malformed"; readonly requestId: string | undefined; readonly error: ThinkInputError };

type Fields = Readonly<Record<string, unknown>>;

/** Read a frame; `undefined` when it is none of this protocol: the agent's own `onMessage` gets it. */
export function readFrame(raw: unknown): Incoming | undefined {
  if (typeof raw !== "string" || !raw.includes("cf_agent_")) return undefined;
  const frame = parsed(raw);
  if (typeof frame !== "object" || frame === null || Array.isArray(frame)) return undefined;
  const fields = frame as Fields;
  try {
    if (isOurs(fields.type) && raw.length > MAX_FRAME_LENGTH) {
      const limit = `at most ${MAX_FRAME_LENGTH} are accepted`;
      throw new ThinkInputError("too-large", "frame", `the frame has ${raw.length} characters; ${limit}`);
    }
    return readFields(fields);
  } catch (error) {
    if (!(error instanceof ThinkInputError)) throw error;
    return { kind: "malformed", requestId: usableId(fields.id), error };
  }
}

const OURS: ReadonlySet<unknown> = new Set(Object.values(FRAME));
const isOurs = (type: unknown): boolean => OURS.has(type);

function readFields(fields: Fields): Incoming | undefined {
  switch (fields.type) {
    case FRAME.USE_CHAT_REQUEST:
      return chatRequest(fields);
    case FRAME.CHAT_REQUEST_CANCEL:
      return { kind: "cancel", requestId: requiredId(fields.id, "id") };
    case FRAME.CHAT_CLEAR:
      return { kind: "clear" };
    case FRAME.CHAT_MESSAGES:
      return { kind: "transcript" };
    case FRAME.STREAM_RESUME_REQUEST:
      return { kind: "resume-request", probeId: usableId(fields.probeId) };
    case FRAME.STREAM_RESUME_ACK:
      return { kind: "resume-ack", requestId: requiredId(fields.id, "id") };
    case FRAME.TOOL_RESULT:
      return toolResult(fields);
    case FRAME.TOOL_APPROVAL:
      return {
        kind: "tool-approval",
        toolCallId: requiredId(fields.toolCallId, "toolCallId"),
        approved: requiredBoolean(fields.approved, "approved"),
        autoContinue: fields.autoContinue === true,
      };
    default:
      return undefined;
  }
}

function chatRequest(fields: Fields): ChatRequestFrame {
  const requestId = requiredId(fields.id, "id");
  const init = (fields.init ?? {}) as Fields;
  if (init.method !== "POST") throw new ThinkInputError("invalid-method", "init.method", 'init.method must be "POST"');
  if (typeof init.body !== "string") {
    throw new ThinkInputError("not-a-string", "init.body", "init.body must be a JSON text");
  }
  const body = parsed(init.body);
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ThinkInputError("invalid-json", "init.body", "init.body must be the JSON of an object");
  }
  const { messages, trigger, clientTools, ...rest } = body as Fields;
  if (!Array.isArray(messages)) throw new ThinkInputError("not-an-array", "messages", "messages must be an array");
  if (trigger !== undefined && trigger !== "submit-message" && trigger !== "regenerate-message") {
    const message = 'trigger must be "submit-message" or "regenerate-message"';
    throw new ThinkInputError("invalid-trigger", "trigger", message);
  }
  return {
    kind: "chat-request",
    requestId,
    trigger: trigger ?? "submit-message",
    messages,
    clientTools: checkClientTools(clientTools),
    body: Object.keys(rest).length > 0 ? rest : undefined,
  };
}

function toolResult(fields: Fields): ToolResultFrame {
  const { state = "output-available", errorText, output } = fields;
  if (state !== "output-available" && state !== "output-error") {
    throw new ThinkInputError("invalid-state", "state", 'state must be "output-available" or "output-error"');
  }
  return {
    kind: "tool-result",
    toolCallId: requiredId(fields.toolCallId, "toolCallId"),
    toolName: typeof fields.toolName === "string" ? fields.toolName : "",
    result:
      state === "output-available"
        ? { state, output }
        : { state, errorText: typeof errorText === "string" ? errorText : undefined },
    autoContinue: fields.autoContinue === true,
    clientTools: checkClientTools(fields.clientTools),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function requiredId(value: unknown, field: string): string {
  const id = checkIdentifier(value, field);
  if (id === undefined) throw new ThinkInputError("blank", field, `${field} is missing`);
  return id;
}

/** Of a frame that is refused anyway, or that goes without. */
function usableId(value: unknown): string | undefined {
  try {
    return checkIdentifier(value, "id");
  } catch {
    return undefined;
  }
}

function requiredBoolean(value: unknown, field: string): boolean {
  if (typeof value === "boolean") return value;
  throw new ThinkInputError("not-a-boolean", field, `${field} must be true or false`);
}
