import { createHash } from "node:crypto";
import type { Turn } from "../commands/index.ts";

const HASH_LENGTH = 10;
const FORM = /^answer-(\d+)-[\w-]{10}$/;

/**
 * The id of a turn's assistant message: the same in every attempt, so that a client which saw a part of one that was
 * cut off puts the next one in its place. The hash keeps a message of somebody's own from having it by chance.
 */
export function answerId({ ordinal, createdAt, submitted }: Pick<Turn, "ordinal" | "createdAt" | "submitted">): string {
  const hash = createHash("sha256").update(`${submitted.turnId}/${ordinal}/${createdAt}`).digest("base64url");
  return `answer-${ordinal}-${hash.slice(0, HASH_LENGTH)}`;
}

/** Where the acceptance of the turn is in the log that gave this message its id; `undefined` for other ids. */
export function ordinalOfAnswer(messageId: string): number | undefined {
  const [, ordinal] = FORM.exec(messageId) ?? [];
  return ordinal === undefined ? undefined : Number(ordinal);
}
