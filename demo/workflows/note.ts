// What a workflow tells the agent of a step. It comes from the demo's own workflows, but over RPC: so it is checked.
import { z } from "zod";

const STATES = ["running", "waiting", "done", "failed"] as const;

export const stepNote = z.object({
  step: z.string(),
  state: z.enum(STATES),
  /** What came out, or why nothing did. */
  result: z.unknown().optional(),
});

export type StepNote = z.infer<typeof stepNote>;
export type StepState = StepNote["state"];

/** The step in which a person decides. */
export const APPROVAL = "approval";

/** Not a step of a workflow's code, but what it is done with. */
export const RESULT = "result";
