import { statusHookScope } from "../engine/hook-scope.ts";
import { activeTurnOf } from "./turn-scope.ts";

/** A blocking turn started from inside a turn of the same agent would wait for itself. */
export function assertNotInsideTurn(agent: object, trigger: string): void {
  if (!activeTurnOf(agent)) return;
  throw new Error(
    `Think turn admission (${trigger}) cannot be called from inside an active turn; use runTurn({ mode: "submit" }) or ` +
      "addMessages() instead, and do not waitForSubmission() on it from inside the turn",
  );
}

/** Neither a turn nor a status hook can wait for what happens only after it. */
export function assertMayWait(agent: object): void {
  if (statusHookScope.isInside()) {
    throw new Error(
      "waitForSubmission() cannot be called from onSubmissionStatus: the submission settles only after the hook returns",
    );
  }
  if (activeTurnOf(agent)) {
    throw new Error(
      "waitForSubmission() cannot be called from inside an active turn: the submission runs only after this turn ends",
    );
  }
}
