import type { ThinkEvent } from "../events/index.ts";
import { type Decision, record, refuse } from "./decision.ts";

/** One entry of the outbox, as the deciders see it. */
export type NotificationState = {
  readonly stream: string;
  /** Version of the stream the entry is on. */
  readonly version: number;
  readonly notificationId: string;
  readonly status: "due" | "delivered" | "parked";
  /** Tries so far. */
  readonly attempts: number;
  /** Epoch milliseconds of the first failure. */
  readonly failingSince?: number;
};

/** How one delivery went. */
export type DeliveryResult =
  | { readonly kind: "delivered" }
  | { readonly kind: "transient"; readonly error: string }
  | { readonly kind: "permanent"; readonly reason: string };

export type Deliver = { readonly result: DeliveryResult; /** Epoch milliseconds. */ readonly now: number };

const GIVE_UP_AFTER_MS = 12 * 3_600_000;
const MAX_BACKOFF_S = 600;

/**
 * Record a delivery: done, tried again after `min(600, 2^attempts)` seconds, or parked with the reason.
 * Nothing delivers yet: this waits for the release that brings `ThinkWorkflow`.
 */
export function recordDelivery(command: Deliver, state: NotificationState): Decision<"settled"> {
  if (state.status !== "due") return refuse("settled");
  return record({ stream: state.stream, expectedVersion: state.version, events: [delivery(command, state)] });
}

function delivery({ result, now }: Deliver, state: NotificationState): ThinkEvent {
  const { notificationId } = state;
  const attempt = state.attempts + 1;
  if (result.kind === "delivered") return { type: "NotificationDelivered", data: { notificationId, attempt } };
  if (result.kind === "permanent")
    return { type: "NotificationParked", data: { notificationId, reason: result.reason } };
  if (state.failingSince !== undefined && now - state.failingSince >= GIVE_UP_AFTER_MS) {
    const reason = `Not delivered within 12 hours; the last error was: ${result.error}`;
    return { type: "NotificationParked", data: { notificationId, reason } };
  }
  const retryAt = now + Math.min(MAX_BACKOFF_S, 2 ** attempt) * 1000;
  return { type: "NotificationFailed", data: { notificationId, attempt, error: result.error, retryAt } };
}
