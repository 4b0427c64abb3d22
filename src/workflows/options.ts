import type { WorkflowSleepDuration } from "cloudflare:workers";
import { ThinkInputError } from "../errors.ts";
import type { PromptSchema } from "./schema-types.ts";

/** Options of `step.prompt()`. */
export type ThinkPromptOptions<Schema extends PromptSchema> = {
  /** What the agent is asked: the text of a user message. */
  prompt: string;
  /** What the output must be: an object schema of Zod 4, or of `zod/v3`. */
  output: Schema;
  /** How long to wait: milliseconds, or text like `"2 hours"`. The default of the engine otherwise, 24 hours. */
  timeout?: WorkflowSleepDuration | undefined;
  /** Tells prompts of one step name apart, in a loop for example. The same key is the same prompt. */
  key?: string | undefined;
  /** `false` lets the submission run on after a timeout; it is cancelled otherwise. */
  cancelOnTimeout?: boolean | undefined;
};

const DURATION = /^\d+(\.\d+)? (second|minute|hour|day|week|month|year)s?$/;

/** @throws {ThinkInputError} naming the field at fault, before a step is made. */
export function checkPromptOptions(name: unknown, options: unknown): void {
  checkText(name, "name");
  if (typeof options !== "object" || options === null) {
    throw new ThinkInputError("not-an-object", "options", "options must be an object");
  }
  const { prompt, output, timeout, key, cancelOnTimeout } = options as Readonly<Record<string, unknown>>;
  checkText(prompt, "prompt");
  if (!isObjectSchema(output)) {
    throw new ThinkInputError("not-an-object-schema", "output", "output must be an object schema of Zod");
  }
  if (timeout !== undefined && !isDuration(timeout)) {
    const message = `timeout must be a positive number of milliseconds or text like "2 hours"`;
    throw new ThinkInputError("invalid-timeout", "timeout", message);
  }
  if (key !== undefined && typeof key !== "string") {
    throw new ThinkInputError("not-a-string", "key", "key must be a string");
  }
  if (cancelOnTimeout !== undefined && typeof cancelOnTimeout !== "boolean") {
    throw new ThinkInputError("not-a-boolean", "cancelOnTimeout", "cancelOnTimeout must be true or false");
  }
}

function checkText(value: unknown, field: string): void {
  if (typeof value !== "string") throw new ThinkInputError("not-a-string", field, `${field} must be a string`);
  if (value.trim() === "") throw new ThinkInputError("blank", field, `${field} must not be blank`);
}

type Tagged = {
  readonly _zod?: { readonly def?: { readonly type?: unknown } };
  readonly _def?: { typeName?: unknown };
};

function isObjectSchema(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { _zod, _def } = value as Tagged;
  return _zod ? _zod.def?.type === "object" : _def?.typeName === "ZodObject";
}

const isDuration = (value: unknown): boolean =>
  typeof value === "number" ? Number.isFinite(value) && value > 0 : typeof value === "string" && DURATION.test(value);
