import { ThinkInputError } from "../errors.ts";

/**
 * What a chat request means that comes while another turn waits or runs. `queue`: it waits. `drop`: it is refused.
 * `latest` and `merge`: it takes the place of the requests that wait, and brings their messages. `debounce`: the same,
 * and it waits for quiet first.
 */
export type MessageConcurrency =
  | "queue"
  | "latest"
  | "merge"
  | "drop"
  | {
      readonly strategy: "debounce";
      /** Milliseconds of quiet. Default 750. */
      readonly debounceMs?: number;
    };

export type SubmitDecision =
  | { readonly kind: "run" }
  | { readonly kind: "drop" }
  /** In the place of those that wait, and not before so many milliseconds. */
  | { readonly kind: "supersede"; readonly waitMs: number };

const DEBOUNCE_MS = 750;

/** @throws {ThinkInputError} when the agent's `messageConcurrency` is none of these. */
export function decideSubmit(strategy: MessageConcurrency, isOverlapping: boolean): SubmitDecision {
  const decision = overlapped(strategy);
  return isOverlapping ? decision : { kind: "run" };
}

function overlapped(strategy: MessageConcurrency): SubmitDecision {
  switch (strategy) {
    case "queue":
      return { kind: "run" };
    case "drop":
      return { kind: "drop" };
    case "latest":
    case "merge":
      return { kind: "supersede", waitMs: 0 };
    default:
      if (typeof strategy === "object" && strategy?.strategy === "debounce") {
        return { kind: "supersede", waitMs: debounceMs(strategy.debounceMs) };
      }
      throw new ThinkInputError(
        "invalid-strategy",
        "messageConcurrency",
        'messageConcurrency must be "queue", "latest", "merge", "drop" or { strategy: "debounce", debounceMs }',
      );
  }
}

const debounceMs = (value: number | undefined): number =>
  value !== undefined && Number.isFinite(value) && value >= 0 ? value : DEBOUNCE_MS;
