import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getAgentByName } from "agents";
import type { TestAgent } from "./test-agent.ts";

/** What a caller sees of the agent: its public methods, over RPC. */
export type AgentClient = Pick<
  TestAgent,
  | "_thinklog_submitPrompt"
  | "listNotifications"
  | "replayNotifications"
  | "submitMessages"
  | "inspectSubmission"
  | "listSubmissions"
  | "waitForSubmission"
  | "cancelSubmission"
  | "deleteSubmission"
  | "deleteSubmissions"
  | "saveMessages"
  | "addMessages"
  | "getMessages"
  | "clearMessages"
  | "auditLog"
  | "verifyLog"
  | "rebuildProjections"
>;

const namespace = (env as unknown as { TestAgent: DurableObjectNamespace<TestAgent> }).TestAgent;

let count = 0;

/** A fresh agent of its own name, so that no test meets another's alarms. */
export async function freshAgent(prefix = "agent"): Promise<{ name: string; agent: AgentClient }> {
  count += 1;
  const name = `${prefix}-${count}-${crypto.randomUUID().slice(0, 8)}`;
  return { name, agent: await agentNamed(name) };
}

export const agentNamed = async (name: string): Promise<AgentClient> =>
  (await getAgentByName(namespace as never, name)) as unknown as AgentClient;

const stubOf = (agent: AgentClient) => agent as unknown as DurableObjectStub<TestAgent>;

/** Let the object's alarm run until none is set. For a lane that can go on: a turn that is held keeps one set. */
export async function drain(agent: AgentClient): Promise<void> {
  for (let due = await alarmOf(agent); due !== null; due = await alarmOf(agent)) {
    // Not in a tight loop: it would starve the timers of the object that is waited for.
    if (due <= Date.now()) await fireAlarm(agent);
    else await scheduler.wait(5);
  }
}

/** When the object's alarm is due, in epoch milliseconds. */
export const alarmOf = (agent: AgentClient): Promise<number | null> =>
  inside(agent, (_, { storage }) => storage.getAlarm());

/** Run the object's alarm once, due or not; `false` when none is set. */
export const fireAlarm = (agent: AgentClient): Promise<boolean> => runDurableObjectAlarm(stubOf(agent));

/** Drop the instance; the next call wakes a fresh one on the same storage. */
export const restart = (agent: AgentClient): Promise<void> => evictDurableObject(stubOf(agent));

/**
 * Kill the object in the middle of whatever it does: what it awaits never goes on. Returns a client of its
 * next life; older clients are broken. Do not come here from a promise that was resolved inside the object:
 * the test would go on there, and not survive its own crash. Poll instead.
 */
export async function crash(agent: AgentClient): Promise<AgentClient> {
  const { name } = stubOf(agent);
  if (name === undefined) throw new Error("The stub does not know its object's name");
  await inside(agent, (_, state) => state.abort("crashed by the test")).catch(() => {});
  return agentNamed(name);
}

/** Code inside the object, with its storage. */
export const inside = <R>(
  agent: AgentClient,
  run: (instance: TestAgent, state: DurableObjectState) => R | Promise<R>,
): Promise<R> => runInDurableObject<TestAgent, R>(stubOf(agent), run);
