import type { StopCondition, ToolSet } from "./ai-sdk.ts";

/** Steps of a turn when nobody says a number. */
const DEFAULT_STEPS = 10;

/**
 * Steps that are permitted. A fraction is rounded down, less than one step is one, and what is no number is the
 * default: only who says `Infinity` gets no limit.
 */
export const stepLimit = (maxSteps: unknown): number =>
  typeof maxSteps !== "number" || Number.isNaN(maxSteps) ? DEFAULT_STEPS : Math.max(1, Math.floor(maxSteps));

/** Stop after so many steps. */
export const atMost = (maxSteps: unknown): StopCondition<ToolSet> => {
  const limit = stepLimit(maxSteps);
  return ({ steps }) => steps.length >= limit;
};
