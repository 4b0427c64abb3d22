import { type LanguageModel, tool, type ToolSet, type UIMessage } from "ai";
import { z } from "zod";
import { Think, type ThinkSubmissionInspection } from "../../src/index.ts";
import { sendFrom } from "./workflow-sender.ts";
import { scriptedModel, type Script, text } from "../../src/testing/index.ts";

type StatusHook = (submission: ThinkSubmissionInspection, agent: TestAgent) => void | Promise<void>;

/**
 * What tests say about agents by name, outside the object: tests and objects share one isolate, and what
 * is set here outlives a restart of the object, as the code of a deployed agent would.
 */
type Setup = {
  script: Script;
  statusHook: StatusHook;
  tools: ToolSet | ((agent: TestAgent) => ToolSet);
  /** Called before the model is made; may throw, as an agent's own code may. */
  beforeModel: () => void;
};

const setups = new Map<string, Partial<Setup>>();

export const setUp = (name: string, setup: Partial<Setup>): void => {
  setups.set(name, { ...setups.get(name), ...setup });
};

/** How often the model of an agent was called, over all of its lives. */
const modelCalls = new Map<string, number>();
export const modelCallsOf = (name: string): number => modelCalls.get(name) ?? 0;

/** Prompts the model of an agent got, over all of its lives. */
const prompts = new Map<string, unknown[]>();
export const promptsOf = (name: string): unknown[] => prompts.get(name) ?? [];

export class TestAgent extends Think {
  override getModel(): LanguageModel {
    setups.get(this.name)?.beforeModel?.();
    return scriptedModel((call) => {
      modelCalls.set(this.name, modelCallsOf(this.name) + 1);
      prompts.set(this.name, [...promptsOf(this.name), call.prompt]);
      const script: Script = setups.get(this.name)?.script ?? (() => text("Hello", " there"));
      return script({ ...call, index: modelCallsOf(this.name) - 1 });
    });
  }

  override getTools(): ToolSet {
    const tools = setups.get(this.name)?.tools ?? { add: addTool };
    return typeof tools === "function" ? tools(this) : tools;
  }

  protected override onSubmissionStatus(submission: ThinkSubmissionInspection): void | Promise<void> {
    return setups.get(this.name)?.statusHook?.(submission, this);
  }

  /** Where no workflow runs, what one would get is kept for the test to look at. */
  override async sendWorkflowEvent(
    workflowName: string,
    workflowId: string,
    event: { type: string; payload: unknown },
  ): Promise<void> {
    const isReal = Object.hasOwn(this.env, workflowName);
    if (isReal) await super.sendWorkflowEvent(workflowName as never, workflowId, event);
    else await sendFrom(this.name, { workflowName, workflowId, event });
  }

  /** The protected member, for tests that call it as a subclass would. */
  reset(): void {
    this.resetTurnState();
  }
}

const addTool = tool({
  description: "Adds two numbers",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
});

export const userMessage = (content: string, id: string = crypto.randomUUID()): UIMessage => ({
  id,
  role: "user",
  parts: [{ type: "text", text: content }],
});
