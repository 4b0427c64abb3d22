import type { UIMessage } from "ai";
import { z } from "zod";
import { ThinkInputError } from "../errors.ts";
import { checkIdentifier } from "./identifiers.ts";
import { checkNesting } from "./nesting.ts";

/** Bytes of one message as JSON; what a conversation row and the model's context can sensibly hold. */
export const MAX_MESSAGE_BYTES = 1_800_000;
/** Bytes of all messages of one submission as JSON. */
export const MAX_SUBMISSION_BYTES = 16_000_000;

/** Bytes of the ids of all messages of one turn as JSON: they share one row of the log with other facts. */
export const MAX_IDS_BYTES = 1_000_000;

const ROLES = ["user", "assistant", "system"];

/** What the AI SDK cannot do without; the rest of a part is its own business. */
const part = z.looseObject({ type: z.string() }).check((context) => {
  const needed = NEEDED[context.value.type] ?? [];
  for (const name of needed) {
    if (typeof context.value[name] === "string") continue;
    context.issues.push({ code: "custom", input: context.value[name], path: [name], message: "must be a string" });
  }
});

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  reasoning: ["text"],
  file: ["url", "mediaType"],
};

const shape = z.looseObject({
  id: z.string().refine((id) => id.trim() !== "", "must not be blank"),
  role: z.enum(["user", "assistant", "system"]),
  parts: z.array(part),
});

const shapes = z.array(shape);

/**
 * Check messages that came in from outside.
 *
 * @returns Their JSON, which is what is stored.
 * @throws {ThinkInputError} naming the field, before anything is stored.
 */
export function serializeMessages(messages: unknown, caller: string): string {
  if (!Array.isArray(messages)) {
    throw new ThinkInputError("not-an-array", "messages", `${caller} takes an array of messages`);
  }
  // Spread: holes of a sparse array become `undefined`, and are refused like it.
  const all: unknown[] = [...messages];
  all.forEach((message, index) => checkShape(message, `messages[${index}]`));
  const texts = all.map((message, index) => serialize(message, `messages[${index}]`));
  const text = `[${texts.join(",")}]`;
  assertSize(text, MAX_SUBMISSION_BYTES, "messages");
  return text;
}

/**
 * Check the ids of messages that a turn brings: they go into an event as they are, and each has to name one message.
 *
 * @throws {ThinkInputError} naming the field, before anything is stored.
 */
export function checkMessageIds(messages: readonly UIMessage[], known: ReadonlySet<string> = new Set()): void {
  const firsts = new Map<string, number>();
  messages.forEach(({ id }, index) => {
    if (known.has(id)) return;
    const field = `messages[${index}].id`;
    checkIdentifier(id, field);
    const first = firsts.get(id);
    if (first !== undefined) {
      throw new ThinkInputError("duplicate-id", field, `${field} is also the id of messages[${first}]`);
    }
    firsts.set(id, index);
  });
  assertSize(JSON.stringify([...firsts.keys()]), MAX_IDS_BYTES, "messages", "ids");
}

/**
 * Check messages that a caller's function made from the conversation. What was in it already stays as it is;
 * what is new comes back as it will be read from the store.
 *
 * @throws {ThinkInputError} naming the field, before anything is stored.
 */
export function checkMade(messages: unknown, known: ReadonlySet<string>): UIMessage[] {
  if (!Array.isArray(messages)) {
    throw new ThinkInputError("not-an-array", "messages", "a turn's function returns an array of messages");
  }
  const all: unknown[] = [...messages];
  const checked = all.map((message, index) => {
    const { id } = (message ?? {}) as { id?: unknown };
    if (typeof id === "string" && known.has(id)) return message as UIMessage;
    checkShape(message, `messages[${index}]`);
    return JSON.parse(serialize(message, `messages[${index}]`)) as UIMessage;
  });
  checkMessageIds(checked, known);
  return checked;
}

/** Read what {@link serializeMessages} made. Rows can be damaged, so this never throws. */
export function parseStoredMessages(text: string): { messages: UIMessage[] } | { error: string } {
  try {
    const messages: unknown = JSON.parse(text);
    shapes.parse(messages);
    return { messages: messages as UIMessage[] };
  } catch (cause) {
    return {
      error: `Stored submission messages are invalid: ${cause instanceof Error ? cause.message : String(cause)}`,
    };
  }
}

function checkShape(message: unknown, field: string): void {
  const { error } = shape.safeParse(message);
  if (!error) return;
  const [issue] = error.issues;
  const path = (issue?.path ?? []).reduce<string>(member, field);
  if (path.endsWith(".role")) {
    throw new ThinkInputError("invalid-role", path, `${path} must be one of ${ROLES.join(", ")}`);
  }
  throw new ThinkInputError("invalid-message", path, `${path}: ${issue?.message ?? "is not a message"}`);
}

const member = (path: string, key: PropertyKey): string =>
  typeof key === "number" ? `${path}[${key}]` : `${path}.${String(key)}`;

function serialize(message: unknown, field: string): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(message);
  } catch (cause) {
    throw new ThinkInputError("not-serializable", field, `${field} cannot be stored as JSON`, { cause });
  }
  // A message with a toJSON of its own may give anything.
  if (text === undefined || !text.startsWith("{")) {
    throw new ThinkInputError("not-serializable", field, `${field} cannot be stored as JSON`);
  }
  assertSize(text, MAX_MESSAGE_BYTES, field);
  checkNesting(text, field);
  return text;
}

function assertSize(text: string, limit: number, field: string, what?: string): void {
  // UTF-8 takes at most three bytes for a UTF-16 unit: most texts need no exact count.
  if (text.length * 3 <= limit) return;
  const bytes = new TextEncoder().encode(text).byteLength;
  if (bytes <= limit) return;
  const subject = what === undefined ? `${field} is` : `the ${what} of ${field} are`;
  throw new ThinkInputError("too-large", field, `${subject} ${bytes} bytes as JSON; at most ${limit} are accepted`);
}
