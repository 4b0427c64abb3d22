import { z } from "zod";

/**
 * A task that the agent declares in its code, and the slots of its schedule: one stream for each task. A slot is known
 * by its time, in epoch milliseconds.
 */

const taskId = z.string().min(1);
const time = z.number().int();
const occurrence = { taskId, scheduledFor: time };

/** Seen in the agent's code: for the first time, or not as it was. A slot that waits goes on waiting, unless one follows. */
export const taskDeclared = z.object({
  taskId,
  action: z.enum(["prompt", "handler"]),
  schedule: z.string().min(1),
  timeZone: z.string().optional(),
  /** What the schedule means, however it is written. */
  scheduleKey: z.string().min(1),
  /** Hash of all that can be compared of the declaration. */
  fingerprint: z.string().min(1),
  /** What an interval counts from. */
  anchor: time,
});

/** It is in the code, but cannot be used: no slot of it waits any more. */
export const taskRejected = z.object({ taskId, error: z.string().min(1) });

/** It is not in the code any more. `pending`: the slot that waited, and never comes. */
export const taskRemoved = z.object({ taskId, pending: time.optional() });

/** This slot is the next one. */
export const occurrenceDue = z.object(occurrence);

/** The handler is about to be called; more than once when the object stops meanwhile. */
export const occurrenceStarted = z.object({ ...occurrence, start: z.number().int().positive() });

/** The slot was used: the prompt was submitted in the same commit, or the handler returned. */
export const occurrenceFired = z.object({
  ...occurrence,
  attempts: z.number().int().positive(),
  submissionId: z.string().min(1).optional(),
});

export const occurrenceFailed = z.object({
  ...occurrence,
  attempts: z.number().int().nonnegative(),
  error: z.string().min(1),
});

/** Slots that went by while an earlier one was late: it runs in their place. */
export const occurrenceSkipped = z.object({ taskId, first: time, last: time, count: z.number().int().positive() });
