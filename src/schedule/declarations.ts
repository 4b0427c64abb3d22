import { warn } from "../engine/console.ts";
import { checkTasks, type DeclaredTasks } from "./declared.ts";
import type { ScheduleHost } from "./host.ts";

const NONE: DeclaredTasks = { tasks: new Map(), problems: [] };

/** What the agent's code says of its tasks. */
export class Declarations {
  readonly #host: ScheduleHost;
  readonly #within: <T>(run: () => T | Promise<T>) => Promise<T>;
  #warned = false;

  /** @param within - Runs the agent's own code where it finds the agent. */
  constructor(host: ScheduleHost, within: <T>(run: () => T | Promise<T>) => Promise<T>) {
    this.#host = host;
    this.#within = within;
  }

  /** @throws what the agent's own methods throw. */
  read(): Promise<DeclaredTasks> {
    return this.#within(() => this.#read());
  }

  async #read(): Promise<DeclaredTasks> {
    const declared = await this.#host.getScheduledTasks();
    const isEmpty = typeof declared === "object" && declared !== null && Object.keys(declared).length === 0;
    if (isEmpty) return NONE;
    if (!(await this.#arms())) {
      this.#warn();
      return NONE;
    }
    return checkTasks(declared, await this.#host.getDefaultTimezone());
  }

  /** Agents inside of others share their class's declarations: run by each of them, a task would run many times. */
  async #arms(): Promise<boolean> {
    return this.#host.parentPath.length === 0 || (await this.#host.getScheduledTasksScope()) === "all";
  }

  #warn(): void {
    if (this.#warned) return;
    this.#warned = true;
    warn(
      'Scheduled tasks run in the outermost agent only; getScheduledTasksScope() can say "all" for those inside of it too',
    );
  }
}
