import type { EventData, ThinkEvent } from "../events/index.ts";
import { type Decision, record, refuse } from "./decision.ts";

/** One notification, as the deciders see it. */
export type NotificationState = {
  readonly stream: string;
  /** Version of the stream its events are on. */
  readonly version: number;
  /** Its entry in the outbox; absent when nothing is to be delivered. */
  readonly due: DueNotification | undefined;
};

export type DueNotification = EventData<"NotificationQueued"> & {
  /** Tries so far. */
  readonly attempts: number;
  /** Epoch milliseconds of the first failure. */
  readonly failingSince: number | null;
};

/** How one delivery went. */
export type DeliveryResult =
  | { readonly kind: "delivered" }
  | { readonly kind: "transient"; readonly error: string }
  | { readonly kind: "permanent"; readonly reason: string };

export type Deliver = { readonly result: DeliveryResult; /** Epoch milliseconds. */ readonly now: number };

const GIVE_UP_AFTER_MS = 12 * 3_600_000;
const MAX_BACKOFF_S = 600;

/** Record a delivery: done, tried again after `min(600, 2^attempts)` seconds, or parked with the reason. */
export function recordDelivery(command: Deliver, { stream, version, due }: NotificationState): Decision<"settled"> {
  if (!due) return refuse("settled");
  return record({ stream, expectedVersion: version, events: [delivery(command, due)] });
}

function delivery({ result, now }: Deliver, due: DueNotification): ThinkEvent {
  const { notificationId, failingSince } = due;
  const attempt = due.attempts + 1;
  if (result.kind === "delivered") return { type: "NotificationDelivered", data: { notificationId, attempt } };
  if (result.kind === "permanent") return parked(due, result.reason);
  if (failingSince !== null && now - failingSince >= GIVE_UP_AFTER_MS) {
    return parked(due, `Not delivered within 12 hours; the last error was: ${result.error}`);
  }
  const retryAt = now + Math.min(MAX_BACKOFF_S, 2 ** attempt) * 1000;
  return { type: "NotificationFailed", data: { notificationId, attempt, error: result.error, retryAt } };
}

function parked(due: DueNotification, reason: string): ThinkEvent {
  const { notificationId, turnId, ordinal, workflowName, workflowId, eventType, attempts } = due;
  const target = { turnId, ordinal, workflowName, workflowId, eventType };
  return { type: "NotificationParked", data: { notificationId, ...target, attempts: attempts + 1, reason } };
}
