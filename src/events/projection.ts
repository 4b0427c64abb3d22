import { z } from "zod";

/** A read model was built anew from the log. */
export const projectionRebuilt = z.object({
  name: z.string(),
  version: z.number().int(),
  /** Events folded. */
  events: z.number().int(),
  /** Rows that were missing, extra or different before. */
  differences: z.number().int(),
});
