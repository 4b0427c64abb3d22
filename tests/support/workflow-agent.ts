import { type LanguageModel } from "ai";
import { Think } from "../../src/index.ts";
import { scriptedModel, text } from "../../src/testing/index.ts";

type Create = (options: WorkflowInstanceCreateOptions) => Promise<WorkflowInstance>;
type Get = (id: string) => Promise<WorkflowInstance>;

/** What stands between an agent and its binding, by the agent's name; outlives a restart of the object. */
type Between = {
  readonly create?: (create: Create, options: WorkflowInstanceCreateOptions) => Promise<WorkflowInstance>;
  readonly get?: (get: Get, id: string) => Promise<WorkflowInstance>;
};
const between = new Map<string, Between>();
export const standBetween = (name: string, wrapper: Between): void => void between.set(name, wrapper);

/** Ids that instances were made for. */
const created: string[] = [];
export const creationsOf = (id: string): number => created.filter((one) => one === id).length;

/** What hooks of an agent heard. */
const heard = new Map<string, unknown[][]>();
export const heardBy = (name: string): unknown[][] => heard.get(name) ?? [];

export class WorkflowAgent extends Think {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, { ...env, TEST_RUNS: watched((env as unknown as { TEST_RUNS: Workflow }).TEST_RUNS, () => this.name) });
  }

  override getModel(): LanguageModel {
    return scriptedModel(() => text("Hello"));
  }

  override async onWorkflowProgress(...said: unknown[]): Promise<void> {
    this.#hear("progress", said);
  }

  override async onWorkflowComplete(...said: unknown[]): Promise<void> {
    this.#hear("complete", said);
  }

  override async onWorkflowError(...said: unknown[]): Promise<void> {
    this.#hear("error", said);
  }

  override async onWorkflowEvent(...said: unknown[]): Promise<void> {
    this.#hear("event", said);
  }

  #hear(kind: string, said: unknown[]): void {
    heard.set(this.name, [...heardBy(this.name), [kind, ...said]]);
  }
}

function watched(binding: Workflow, name: () => string): Workflow {
  const get: Get = (id) => binding.get(id);
  const create: Create = (options) => {
    created.push(options.id ?? "");
    return binding.create(options);
  };
  return {
    create: (options: WorkflowInstanceCreateOptions) =>
      between.get(name())?.create?.(create, options) ?? create(options),
    get: (id: string) => between.get(name())?.get?.(get, id) ?? get(id),
  } as unknown as Workflow;
}
