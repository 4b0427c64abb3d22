import { createHash } from "node:crypto";
import { taskKey } from "./keys.ts";
import type { CheckedTask } from "./validate.ts";

const HASH_LENGTH = 32;

const hash = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value), "utf8").digest("hex").slice(0, HASH_LENGTH);

/** An agent's place among the agents it is inside of, the outermost first. */
export type AgentPath = readonly { readonly className: string; readonly name: string }[];

/** One agent's name for its tasks, told apart from every other agent's. */
export const ownerKeyOf = (path: AgentPath): string => hash(path.map(({ className, name }) => [className, name]));

/** Changes with all that a listing shows of a declaration, and with what can be compared of its action. */
export const fingerprintOf = (task: CheckedTask): string =>
  hash([taskKey(task), task.schedule.text, timeZoneOf(task) ?? null]);

export const timeZoneOf = ({ schedule }: CheckedTask): string | undefined =>
  schedule.kind === "wall-clock" ? schedule.timeZone : undefined;
