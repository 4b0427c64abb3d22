/** The leaf that reads and appends start from when none is named. */
export type LeafChoice = {
  /** `undefined`: the newest row. */
  readonly id: () => string | undefined;
  readonly choose: (messageId: string | null) => Promise<void>;
};

/** @deprecated Token counts come from the estimate each row carries; a counter of your own is not asked. */
export type CompactAfterOptions = { tokenCounter?: unknown };

/** The older signatures take an id where the newer ones take options. */
export function asOptions<K extends string, T extends { [key in K]?: string | null }>(
  key: K,
  value: string | null | T | undefined,
): T | { [key in K]?: string | null } {
  if (typeof value === "object" && value !== null) return value;
  return (value === undefined ? {} : { [key]: value }) as { [key in K]?: string | null };
}
