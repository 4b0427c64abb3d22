import { z } from "zod";

/** The workflow outbox. Every event names its notification; the first is queued in the commit of the terminal event. */

/** A turn has one notification: sent again, it is the same one. */
export const notificationIdOf = (stream: string, ordinal: number): string =>
  `${stream.slice(stream.indexOf("/") + 1)}/${ordinal}`;

const notificationId = z.string().min(1);

/** Which turn it tells of, and who waits for it. */
const target = {
  turnId: z.string(),
  /** Place of the turn in the lane: an id can be used again after a deletion, a place cannot. */
  ordinal: z.number().int().positive(),
  workflowName: z.string(),
  workflowId: z.string(),
  eventType: z.string(),
};

/** To be delivered from now on; said again of one that was delivered or parked, when it is to go out again. */
export const notificationQueued = z.object({ notificationId, ...target });

export const notificationDelivered = z.object({ notificationId, attempt: z.number().int().positive() });

export const notificationFailed = z.object({
  notificationId,
  attempt: z.number().int().positive(),
  error: z.string().min(1),
  /** Epoch milliseconds of the next try. */
  retryAt: z.number().int(),
});

/** Given up, with the reason; it can be replayed. */
export const notificationParked = z.object({
  notificationId,
  ...target,
  /** Deliveries tried. */
  attempts: z.number().int().positive(),
  reason: z.string().min(1),
});
