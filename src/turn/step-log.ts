import type { StepRecord, TurnRecorder } from "../engine/ports.ts";
import type { StepResult, ToolSet } from "./ai-sdk.ts";
import { stepRecord } from "./step-record.ts";

/** The steps of one answer as they happen, put on record at the right moments. */
export class StepLog {
  readonly #record: TurnRecorder;
  readonly #durations = new Map<string, number>();
  readonly #unrecorded: StepRecord[] = [];
  #current = 0;

  constructor(record: TurnRecorder) {
    this.#record = record;
  }

  /** The model step that is under way, from 0. */
  get current(): number {
    return this.#current;
  }

  /** Steps that are not on record yet: they belong to the commit that ends the turn. */
  get unrecorded(): readonly StepRecord[] {
    return this.#unrecorded;
  }

  /** A tool is about to run. Throws when the turn was ended meanwhile, so that it does not. */
  toolStarts(call: { toolCallId: string; toolName: string }): void {
    if (!this.#record.toolStarts({ step: this.#current, ...call })) {
      throw new Error("The turn ended before this tool ran.");
    }
  }

  toolFinished(toolCallId: string, durationMs: number): void {
    this.#durations.set(toolCallId, durationMs);
  }

  /**
   * With tool results a next step may follow, so they are put on record before it. The last step waits for
   * the commit that ends the turn.
   *
   * @param isLast - It called a tool, but that ends the turn.
   */
  stepEnded(result: StepResult<ToolSet>, isLast = false): void {
    const facts = stepRecord(this.#current, result, this.#durations);
    this.#current += 1;
    if (facts.toolCalls.length > 0 && !isLast) this.#record.stepFinished(facts);
    else this.#unrecorded.push(facts);
  }
}
