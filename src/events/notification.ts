import { z } from "zod";

/** The workflow outbox. Every event names its notification; the first is queued in the commit of the terminal event. */

const notificationId = z.string().min(1);

export const notificationQueued = z.object({
  notificationId,
  turnId: z.string(),
  workflowName: z.string(),
  workflowId: z.string(),
  eventType: z.string(),
});

export const notificationDelivered = z.object({ notificationId, attempt: z.number().int().positive() });

export const notificationFailed = z.object({
  notificationId,
  attempt: z.number().int().positive(),
  error: z.string().min(1),
  /** Epoch milliseconds of the next try. */
  retryAt: z.number().int(),
});

/** Given up, with the reason; it can be replayed. */
export const notificationParked = z.object({ notificationId, reason: z.string().min(1) });
