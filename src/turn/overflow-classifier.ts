import type { ChatErrorClassification } from "./hook-types.ts";

/** How providers say that the input does not fit. About tokens and context only: a full disk is too long too. */
const PHRASES: readonly RegExp[] = [
  /context[ _-]?(?:length|window|size|limit)[^.]*exceed/,
  /exceed[^.]*context[ _-]?(?:length|window|size|limit)/,
  /context_length_exceeded/,
  /maximum context/,
  /(?:prompt|input|request|conversation|context)(?: is| was)? too long/,
  /too many (?:input |prompt )?tokens/,
  /(?:input|prompt) (?:tokens? )?(?:count |length )?(?:\([^)]*\) )?exceeds?/,
  /(?:exceed|larger|longer)[^.]*(?:token limit|maximum (?:number of )?(?:input )?tokens)/,
  /reduce the length of (?:the|your) (?:messages|prompt|input)/,
  /input length and `?max_tokens`? exceed/,
];

/**
 * Does a provider's error say that the conversation no longer fits the model? For `classifyChatError`.
 *
 * @example
 * override classifyChatError(error: unknown) {
 *   return defaultContextOverflowClassifier(error);
 * }
 */
export function defaultContextOverflowClassifier(error: unknown): ChatErrorClassification | undefined {
  const text = textOf(error).toLowerCase();
  return PHRASES.some((phrase) => phrase.test(text)) ? "context_overflow" : undefined;
}

function textOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === "string") return error;
  try {
    return JSON.stringify(error) ?? "";
  } catch {
    return "";
  }
}
