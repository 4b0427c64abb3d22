import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getAgentByName } from "agents";
import type { TestAgent } from "./test-agent.ts";

/** What a caller sees of the agent: its public methods, over RPC. */
export type AgentClient = Pick<
  TestAgent,
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

/** Run the object's alarm until none is due. */
export async function drain(agent: AgentClient): Promise<void> {
  for (let ran = true; ran;) ran = await runDurableObjectAlarm(stubOf(agent));
}

/** Drop the instance; the next call wakes a fresh one on the same storage. */
export const restart = (agent: AgentClient): Promise<void> => evictDurableObject(stubOf(agent));

/** Code inside the object, with its storage. */
export const inside = <R>(
  agent: AgentClient,
  run: (instance: TestAgent, state: DurableObjectState) => R | Promise<R>,
): Promise<R> => runInDurableObject<TestAgent, R>(stubOf(agent), run);
