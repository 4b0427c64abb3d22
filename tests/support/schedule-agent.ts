import { type LanguageModel } from "ai";
import { Think, type ThinkScheduledTasks } from "../../src/index.ts";
import { scriptedModel, text } from "../../src/testing/index.ts";

/** What a test says about an agent by its name; outlives a restart of the object, as deployed code would. */
export type ScheduleSetup = {
  tasks: () => ThinkScheduledTasks | Promise<ThinkScheduledTasks>;
  timezone: string | undefined;
  scope: "root" | "all";
  onStart: (agent: ScheduleAgent) => void;
};

const setups = new Map<string, Partial<ScheduleSetup>>();
export const setUpTasks = (name: string, setup: Partial<ScheduleSetup>): void =>
  void setups.set(name, { ...setups.get(name), ...setup });

/** Errors that `onError` of an agent heard. */
const errors = new Map<string, unknown[]>();
export const errorsOf = (name: string): unknown[] => errors.get(name) ?? [];

/** How often the agent was asked for its tasks. */
const asked = new Map<string, number>();
export const askedOf = (name: string): number => asked.get(name) ?? 0;

export class ScheduleAgent extends Think {
  get #setup(): Partial<ScheduleSetup> {
    return setups.get(this.name) ?? {};
  }

  override onStart(): void {
    this.#setup.onStart?.(this);
  }

  override getModel(): LanguageModel {
    return scriptedModel(() => text("Done"));
  }

  override getScheduledTasks(): ThinkScheduledTasks | Promise<ThinkScheduledTasks> {
    asked.set(this.name, askedOf(this.name) + 1);
    return this.#setup.tasks?.() ?? {};
  }

  override getDefaultTimezone(): string | undefined {
    return this.#setup.timezone;
  }

  override getScheduledTasksScope(): "root" | "all" {
    return this.#setup.scope ?? "root";
  }

  override onError(...args: unknown[]): void {
    errors.set(this.name, [...errorsOf(this.name), args.at(-1)]);
  }
}
