import { ThinkInputError } from "../errors.ts";

/** A turn's own data as the JSON that is stored with it. */
export function serializeBody(body: unknown): string | undefined {
  if (body === undefined) return undefined;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ThinkInputError("not-an-object", "body", "body must be a plain object");
  }
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new ThinkInputError("not-serializable", "body", "body cannot be stored as JSON", { cause });
  }
}
