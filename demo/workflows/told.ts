// A step that tells the agent how it goes, so that the console can show it. The telling is a step as well: when the
// platform runs the workflow again, what was told is not told again.
import type { AgentWorkflowStep } from "agents/workflows";
import type { StepNote, StepState } from "./note.ts";

/** @param meanwhile - What it is until it ends: it runs, or it waits for somebody. */
export async function told<T>(
  step: AgentWorkflowStep,
  name: string,
  work: () => Promise<T>,
  meanwhile: StepState = "running",
): Promise<T> {
  const tell = (note: Omit<StepNote, "step">) => step.sendEvent({ ...note, step: name });
  await tell({ state: meanwhile });
  try {
    const result = await work();
    await tell({ state: "done", result });
    return result;
  } catch (error) {
    await tell({ state: "failed", result: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}
