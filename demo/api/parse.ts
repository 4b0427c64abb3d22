// Reads bodies and queries against their schemas; the first thing wrong is the error, with the field's name.
import type { z } from "zod";
import { ApiError, invalid } from "./errors.ts";

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** The request's JSON. An empty body is `{}`, so that a POST without one needs no `-d '{}'`. */
export async function readBody<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.output<Schema>> {
  const text = await readText(request);
  let json: unknown = {};
  if (text.trim() !== "") {
    try {
      json = JSON.parse(text);
    } catch {
      throw invalid(undefined, "The body is not valid JSON.", "malformed-json");
    }
  }
  return check(schema, json, "body");
}

/** Names in `lists` may come more than once; of the others only one is allowed. */
export function readQuery<Schema extends z.ZodType>(
  query: URLSearchParams,
  schema: Schema,
  lists: readonly string[] = [],
): z.output<Schema> {
  const values: Record<string, string | string[]> = {};
  for (const name of new Set(query.keys())) {
    const given = query.getAll(name);
    if (lists.includes(name)) values[name] = given;
    else if (given.length > 1) throw invalid(name, `${name} is given more than once.`);
    else values[name] = given[0] ?? "";
  }
  return check(schema, values, "query");
}

export function check<Schema extends z.ZodType>(schema: Schema, value: unknown, whole: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const name = issue?.code === "unrecognized_keys" ? issue.keys[0] : issue?.path[0];
  const field = name === undefined ? undefined : String(name);
  const missing = field !== undefined && isObject(value) && !(field in value);
  throw invalid(field, `${field ?? `The ${whole}`} ${missing ? "is missing" : complaint(issue)}.`);
}

const EXPECTED: Record<string, string> = { string: "a string", array: "a list" };

/** The end of a sentence that begins with the field's name. Messages of our own schemas are written that way. */
function complaint(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "unrecognized_keys") return "is not a known field";
  if (issue?.code === "invalid_type") return `must be ${EXPECTED[issue.expected] ?? "an object"}`;
  return issue?.message ?? "is not valid";
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Stops reading as soon as there is too much, whatever Content-Length promised. */
async function readText(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) {
      throw new ApiError(413, { code: "body-too-large", message: `The body is larger than ${MAX_BODY_BYTES} bytes.` });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
