// What may come in, as zod schemas. The limits are the demo's own; Think checks again what it is given.
import { z } from "zod";
import { promptText } from "../agent/prompt-text.ts";

const MAX_ID = 200;
const MAX_METADATA = 16_000;
const MAX_REASON = 500;

const id = text(MAX_ID);

export const submitBody = z.strictObject({
  text: promptText,
  idempotencyKey: id.optional(),
  submissionId: id.optional(),
  metadata: z
    .record(z.string(), z.unknown())
    .refine(
      (data) => JSON.stringify(data).length <= MAX_METADATA,
      `must have at most ${MAX_METADATA} characters as JSON`,
    )
    .optional(),
});

/** Of a cancellation, an approval, a rejection. */
export const reasonBody = z.strictObject({
  reason: z.string().max(MAX_REASON, atMost(MAX_REASON)).optional(),
});

const MAX_FILES = 20;

export const workflowBody = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("triage"), text: promptText }),
    z.strictObject({
      kind: z.literal("review"),
      files: z
        .array(id)
        .min(1, "must name a file")
        .max(MAX_FILES, `must have at most ${MAX_FILES} names`)
        .refine((files) => new Set(files).size === files.length, "must not have a name twice"),
    }),
  ],
  "must be triage or review",
);

export const notificationsQuery = z.object({ state: z.enum(["due", "parked"], "must be due or parked").optional() });

export const replayBody = z.strictObject({
  ids: z.array(id).min(1, "must have an id").max(100, "must have at most 100 ids"),
});

export const schedulesBody = z.strictObject({ on: z.boolean("must be true or false") });

const STATUSES = ["pending", "running", "completed", "aborted", "skipped", "error"] as const;
const status = z.enum(STATUSES, `must be one of ${STATUSES.join(", ")}`);

/** `?status=pending,running` and `?status=pending&status=running` are the same. */
export const listQuery = z.object({
  status: z
    .array(z.string())
    .transform((values) => values.flatMap((value) => value.split(",")).map((value) => value.trim()))
    .pipe(z.array(status))
    .optional(),
  limit: wholeNumber(1, 100).optional(),
});

export const eventsQuery = z.object({
  submissionId: id.optional(),
  type: id.optional(),
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  limit: wholeNumber(1, 500).optional(),
  order: z.enum(["asc", "desc"], "must be asc or desc").optional(),
});

export const agentName = text(MAX_ID);

function text(max: number) {
  return z.string().max(max, atMost(max)).regex(/\S/, "must not be blank");
}

function atMost(max: number): string {
  return `must have at most ${max} characters`;
}

/** A number as an address carries it: digits only, so that "", "1e2" and "0x10" are not numbers. */
function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min}${max < Number.MAX_SAFE_INTEGER ? ` to ${max}` : ""}`;
  return z
    .string()
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message));
}
