import type { MediaAgeing } from "./ports.ts";

/** Options of {@link Think.mediaEviction}. */
export type MediaEvictionConfig = {
  /** Messages at the end whose media the model gets whole; 8 when absent, at least 4. */
  keepRecentMessages?: number;
  /** Values smaller than this stay; 32,768 bytes when absent. */
  minPartBytes?: number;
  /** @deprecated Nothing is rewritten in storage, so there are no passes. Accepted so that older agents compile. */
  maxRowsPerPass?: number;
  /** @deprecated The bytes always stay in the conversation. Accepted so that older agents compile. */
  externalizeToWorkspace?: boolean;
};

const DEFAULTS: MediaAgeing = { keepRecentMessages: 8, minPartBytes: 32_768 };
const LEAST_MESSAGES = 4;

/** `undefined`: media never ages. What is no sensible number counts as absent. */
export function mediaAgeing(config: MediaEvictionConfig | boolean): MediaAgeing | undefined {
  if (config === false) return undefined;
  const { keepRecentMessages, minPartBytes } = config === true ? {} : config;
  return {
    keepRecentMessages: Math.max(count(keepRecentMessages) ?? DEFAULTS.keepRecentMessages, LEAST_MESSAGES),
    minPartBytes: count(minPartBytes) ?? DEFAULTS.minPartBytes,
  };
}

const count = (value: number | undefined): number | undefined =>
  typeof value === "number" && value >= 0 ? Math.trunc(value) : undefined;
