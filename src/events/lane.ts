import { z } from "zod";

/** Reset or clear: the lane moves to the next generation; turns of an older one never run. */
export const laneReset = z.object({ generation: z.number().int().positive(), reason: z.string().min(1) });
