import { hasToolCall, jsonSchema, type StepResult, tool, type ToolSet } from "../ai-sdk.ts";
import type { StepConfig, TurnConfig } from "../hook-types.ts";
import { stepLimit } from "../step-limit.ts";
import { type FinalCall, type FinalOutput, isNoCall, outputOf } from "./output.ts";
import { freeToolName } from "./tool-name.ts";

type Schema = Record<string, unknown>;
/** What `beforeStep` chose, with the model as the AI SDK takes it. */
type StepChoice = Pick<StepConfig, "toolChoice" | "activeTools">;

/**
 * How the model of a structured turn is brought to answer by calling a tool, and what it answered. One is made for
 * each try of a turn, from what is on record of it: so a turn that was interrupted is asked for the same again.
 */
export class FinalAnswer {
  readonly toolName: string;
  readonly #schema: Schema;
  readonly #others: ToolSet;
  readonly #lastStep: number;
  #call: FinalCall | undefined;

  /**
   * @param others - The tools of the agent and the turn.
   * @param maxSteps - As the turn's settings say it.
   */
  constructor(schema: Schema, others: ToolSet, maxSteps: unknown) {
    this.toolName = freeToolName(others);
    this.#schema = schema;
    this.#others = others;
    this.#lastStep = stepLimit(maxSteps) - 1;
  }

  instructed(system: string): string {
    const instruction =
      `When you have what you need, give your final answer by calling the tool "${this.toolName}" exactly once. ` +
      "Its input is the whole answer; what you write outside of it is not read.";
    return system === "" ? instruction : `${system}\n\n${instruction}`;
  }

  /** The turn's overrides, so that they leave room for the tool. What the agent chose itself stays. */
  configured({ output: _, ...config }: TurnConfig): TurnConfig {
    const alone = Object.keys(this.#others).length === 0;
    return {
      ...config,
      ...this.#extended(config),
      toolChoice: config.toolChoice ?? (alone ? this.#pinned : "required"),
      stopWhen: [hasToolCall(this.toolName), ...[config.stopWhen ?? []].flat()],
    };
  }

  /** @param hooked - The tools with hooks around them. There are none around this one: it does nothing. */
  addedTo(hooked: ToolSet): ToolSet {
    const answer = tool({
      description: "Takes the final answer. Call it exactly once, when everything else is done.",
      inputSchema: jsonSchema(this.#schema),
      execute: () => "The final answer was received.",
    });
    return { ...hooked, [this.toolName]: answer };
  }

  /** The last step that is permitted can only be the answer, unless `beforeStep` wants another one. */
  stepped<Choice extends StepChoice>(chosen: Choice, stepNumber: number): Choice {
    if (stepNumber >= this.#lastStep && chosen.toolChoice === undefined) {
      return { ...chosen, toolChoice: this.#pinned, activeTools: [this.toolName] };
    }
    return { ...chosen, ...this.#extended(chosen) };
  }

  /** Only the last step counts. */
  stepEnded({ toolCalls }: StepResult<ToolSet>): void {
    this.#call = toolCalls.findLast(({ toolName }) => toolName === this.toolName);
  }

  /** The newest step gave the answer: so it is the last. */
  get isGiven(): boolean {
    return this.#call !== undefined;
  }

  /** @param error - What went wrong in the stream. That a tool was required and not called is told in words of ours. */
  outcome(error: unknown): FinalOutput {
    return error === undefined || isNoCall(error, this.toolName) ? outputOf(this.#call, this.toolName) : { error };
  }

  get #pinned() {
    return { type: "tool", toolName: this.toolName } as const;
  }

  #extended({ activeTools }: { readonly activeTools?: readonly string[] | undefined }): { activeTools?: string[] } {
    return activeTools ? { activeTools: [...activeTools, this.toolName] } : {};
  }
}
