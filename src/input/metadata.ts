import { ThinkInputError } from "../errors.ts";

/** Bytes of metadata as JSON. */
export const MAX_METADATA_BYTES = 256_000;

/** Metadata as the JSON that is stored; `undefined` when there is none. Undefined members vanish. */
export function serializeMetadata(metadata: unknown): string | undefined {
  if (metadata === undefined) return undefined;
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) {
    throw new ThinkInputError("not-an-object", "metadata", "metadata must be a plain object");
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(metadata);
  } catch (cause) {
    throw new ThinkInputError("not-serializable", "metadata", "metadata cannot be stored as JSON", { cause });
  }
  // An object with a toJSON of its own may give anything.
  if (text === undefined || !text.startsWith("{")) {
    throw new ThinkInputError("not-an-object", "metadata", "metadata must be a plain object");
  }
  if (new TextEncoder().encode(text).byteLength > MAX_METADATA_BYTES) {
    throw new ThinkInputError("too-large", "metadata", `metadata is larger than ${MAX_METADATA_BYTES} bytes as JSON`);
  }
  return text;
}
