import type { UIMessage } from "ai";
import { defined } from "../defined.ts";

/** What the server writes into the metadata of a turn's user messages. Both keys are reserved for it. */
export type Stamp = {
  readonly channel?: string | undefined;
  readonly turnMetadata?: Record<string, unknown> | undefined;
};

/** The messages with the stamp on those of the user. */
export function stampMessages(messages: readonly UIMessage[], stamp: Stamp): UIMessage[] {
  const known = defined(stamp);
  if (Object.keys(known).length === 0) return [...messages];
  return messages.map((message) =>
    // Also called with messages that are not checked yet.
    message?.role === "user" ? { ...message, metadata: { ...asObject(message.metadata), ...known } } : message,
  );
}

/** Metadata of another kind has no members to keep. */
const asObject = (metadata: unknown): object =>
  typeof metadata === "object" && metadata !== null && !Array.isArray(metadata) ? metadata : {};
