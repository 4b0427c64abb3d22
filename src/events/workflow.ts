import { z } from "zod";

/**
 * A workflow that this agent starts, on a stream of its own. The request is on record before the instance exists, so
 * that a crash in between leaves neither a run that nobody knows of nor a second one.
 */

const ids = { workflowName: z.string().min(1), workflowId: z.string().min(1) };

/** What is needed to start it, also by a later life of the agent. Params and metadata are payloads until then. */
export const workflowRequested = z.object({
  ...ids,
  params: z.string().min(1).optional(),
  metadata: z.string().min(1).optional(),
  agentBinding: z.string().optional(),
  /** How long the platform keeps the instance: durations as the caller gave them. */
  retention: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

/** The instance is there and tracked. `adopted`: it was found, not made by the attempt that recorded this. */
export const workflowStarted = z.object({ ...ids, adopted: z.boolean() });

/**
 * The caller got this error, and nobody could tell whether the instance exists. From here on it is looked for, but not
 * made: a caller who was told of a failure may have started another one.
 */
export const workflowStartUnclear = z.object({ ...ids, error: z.string().min(1) });

/** There is no instance, and the caller knows. */
export const workflowRequestFailed = z.object({ ...ids, error: z.string().min(1) });

/** What a workflow told the agent about its end. An error it tells of can still be followed by more. */
export const workflowReported = z.object({
  ...ids,
  kind: z.enum(["complete", "error"]),
  error: z.string().optional(),
});
