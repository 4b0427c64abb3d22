import { ThinkInputError } from "../errors.ts";
import type { ClientToolSchema } from "./adapter.ts";
import { checkClientTools } from "./client-tools.ts";
import { type Fields, isObject, requireIdentifier } from "./fields.ts";

/** A client starts a turn. What the messages are is not looked at: that is for the turn's own check. */
export type ChatRequest = {
  readonly kind: "chat-request";
  readonly requestId: string;
  readonly trigger: "submit-message" | "regenerate-message";
  readonly messages: unknown[];
  /** `undefined`: those of the request before still hold. Empty: there are none any more. */
  readonly clientTools: ClientToolSchema[] | undefined;
  /** What the application sends beside. */
  readonly body: Record<string, unknown> | undefined;
};

/** @throws {ThinkInputError} naming the field. */
export function readChatRequest(frame: Fields): ChatRequest {
  const requestId = requireIdentifier(frame["id"], "id");
  const { messages, trigger = "submit-message", clientTools, ...custom } = bodyOf(frame["init"]);
  if (!Array.isArray(messages)) {
    throw new ThinkInputError("not-an-array", "messages", "messages must be an array");
  }
  if (trigger !== "submit-message" && trigger !== "regenerate-message") {
    const message = "trigger must be submit-message or regenerate-message";
    throw new ThinkInputError("invalid-trigger", "trigger", message);
  }
  return {
    kind: "chat-request",
    requestId,
    trigger,
    messages,
    clientTools: checkClientTools(clientTools),
    body: customBody(custom),
  };
}

function bodyOf(init: unknown): Fields {
  if (!isObject(init)) throw new ThinkInputError("not-an-object", "init", "init must be an object");
  if (init["method"] !== "POST") {
    throw new ThinkInputError("invalid-method", "init.method", "init.method must be POST");
  }
  const text = init["body"];
  if (typeof text !== "string") {
    throw new ThinkInputError("not-a-string", "init.body", "init.body must be a JSON text");
  }
  const body = parseJson(text);
  if (!isObject(body)) throw new ThinkInputError("not-an-object", "init.body", "init.body must be a JSON object");
  return body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ThinkInputError("not-json", "init.body", "init.body is not JSON", { cause });
  }
}

/** Without `__proto__`: whoever copies the body key by key would give it a prototype that the client chose. */
function customBody(custom: Fields): Record<string, unknown> | undefined {
  const entries = Object.entries(custom).filter(([key]) => key !== "__proto__");
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
