// What becomes of a submit that comes while another turn waits or runs.
import { ThinkInputError } from "../errors.ts";

/** For submits of clients only: every other turn queues. */
export type MessageConcurrency =
  | "queue"
  | "latest"
  | "merge"
  | "drop"
  | { readonly strategy: "debounce"; readonly debounceMs?: number | undefined };

/** A checked {@link MessageConcurrency}. */
export type SubmitStrategy =
  | { readonly kind: "queue" | "latest" | "merge" | "drop" }
  | { readonly kind: "debounce"; readonly waitMs: number };

export type SubmitDecision =
  | { readonly kind: "run" }
  /** Refused before anything is stored. */
  | { readonly kind: "drop" }
  /** Its messages are kept and it may run after that wait, unless a newer one comes; those that wait do not run. */
  | { readonly kind: "supersede"; readonly waitMs: number };

export const DEFAULT_DEBOUNCE_MS = 750;
/** What a timer can wait: a longer one would be over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @throws {ThinkInputError} naming `messageConcurrency`. */
export function checkConcurrency(value: unknown = "queue"): SubmitStrategy {
  switch (value) {
    case "queue":
    case "latest":
    case "merge":
    case "drop":
      return { kind: value };
  }
  if (typeof value === "object" && value !== null && "strategy" in value && value.strategy === "debounce") {
    return { kind: "debounce", waitMs: checkDebounce("debounceMs" in value ? value.debounceMs : undefined) };
  }
  throw new ThinkInputError(
    "unknown-strategy",
    "messageConcurrency",
    'messageConcurrency must be "queue", "latest", "merge", "drop" or { strategy: "debounce" }',
  );
}

/** A submit without overlap runs at once, whatever the strategy. A turn that runs already is never ended by another. */
export function decideSubmit(strategy: SubmitStrategy, { overlapping }: { overlapping: boolean }): SubmitDecision {
  if (!overlapping || strategy.kind === "queue") return { kind: "run" };
  if (strategy.kind === "drop") return { kind: "drop" };
  return { kind: "supersede", waitMs: strategy.kind === "debounce" ? strategy.waitMs : 0 };
}

const checkDebounce = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0
    ? Math.min(value, MAX_TIMER_MS)
    : DEFAULT_DEBOUNCE_MS;
