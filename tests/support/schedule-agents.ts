import { env } from "cloudflare:workers";
import { getAgentByName } from "agents";
import { vi } from "vitest";
import type { ScheduledTaskInspection, TaskOccurrence } from "../../src/index.ts";
import * as agents from "./agents.ts";
import { type ScheduleAgent, type ScheduleSetup, setUpTasks } from "./schedule-agent.ts";

const namespace = (env as unknown as { ScheduleAgent: DurableObjectNamespace<ScheduleAgent> }).ScheduleAgent;

/** Monday, 08:00 UTC, years ahead: the platform's own alarm never rings here, tests ring it. */
export const EIGHT = Date.UTC(2030, 0, 7, 8);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const scheduleAgent = async (name: string): Promise<agents.AgentClient> =>
  (await getAgentByName(namespace as never, name)) as unknown as agents.AgentClient;

/** A fresh agent of its own name, with these tasks in its code. */
export async function freshScheduleAgent(setup: Partial<ScheduleSetup> = {}) {
  const name = `tasks-${crypto.randomUUID().slice(0, 8)}`;
  setUpTasks(name, setup);
  return { name, agent: await scheduleAgent(name) };
}

/** Code inside the object. */
export const inside = <R>(
  agent: agents.AgentClient,
  run: (instance: ScheduleAgent, state: DurableObjectState) => R | Promise<R>,
): Promise<R> => agents.inside(agent, run as never) as Promise<R>;

/** Kill the object in the middle of whatever it does. @returns a client of its next life, which is awake. */
export async function nextLife(name: string): Promise<agents.AgentClient> {
  await inside(await scheduleAgent(name), (_, state) => state.abort("crashed by the test")).catch(() => {});
  return scheduleAgent(name);
}

/** Let time go by, without anybody noticing. */
export const goTo = (time: number): void => void vi.setSystemTime(time);

/** Let time go by, and ring the alarm then, due or not. */
export async function ringAt(agent: agents.AgentClient, time: number): Promise<void> {
  goTo(time);
  await agents.fireAlarm(agent);
}

/** When the alarm of tasks is set, in epoch milliseconds. */
export const wakeOf = (agent: agents.AgentClient): Promise<number | undefined> =>
  inside(agent, (_, { storage }) => {
    const [job] = storage.sql.exec("SELECT time FROM cf_agents_jobs WHERE id = 'thinklog-schedule'").toArray();
    return job?.["time"] as number | undefined;
  });

export const tasksOf = (agent: agents.AgentClient): Promise<ScheduledTaskInspection[]> =>
  inside(agent, (instance) => instance.listScheduledTasks());

/** What became of a task's slots, newest first. */
export const occurrencesOf = async (agent: agents.AgentClient, taskId: string): Promise<TaskOccurrence[]> =>
  inside(agent, async (instance) => (await instance.listOccurrences({ taskId })).occurrences);

/** The events of a task, without their envelopes. */
export async function storyOf(agent: agents.AgentClient, taskId: string): Promise<string[]> {
  const { events } = await agent.auditLog({ limit: 500 });
  return events.filter(({ stream }) => stream === `schedule/${taskId}`).map(({ type }) => type);
}

/** The submitted texts, oldest first. */
export const questionsOf = async (agent: agents.AgentClient): Promise<string[]> =>
  (await agent.getMessages()).flatMap(({ role, parts }) =>
    role === "user" ? parts.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
  );
