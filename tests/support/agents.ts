import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getAgentByName } from "agents";
import type { TestAgent } from "./test-agent.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      TestAgent: DurableObjectNamespace<TestAgent>;
    }
  }
}

let count = 0;

/** A fresh agent of its own name, so that no test meets another's alarms. */
export async function freshAgent(prefix = "agent") {
  count += 1;
  const name = `${prefix}-${count}-${crypto.randomUUID().slice(0, 8)}`;
  return { name, agent: await agentNamed(name) };
}

export const agentNamed = (name: string) => getAgentByName<Cloudflare.Env, TestAgent>(env.TestAgent, name);

type Stub = Awaited<ReturnType<typeof agentNamed>>;

/** Run the object's alarm until none is due. */
export async function drain(agent: Stub): Promise<void> {
  for (let ran = true; ran; ) ran = await runDurableObjectAlarm(agent);
}

/** Drop the instance; the next call wakes a fresh one on the same storage. */
export const restart = (agent: Stub): Promise<void> => evictDurableObject(agent);

/** Code inside the object, with its storage. */
export const inside = <R>(agent: Stub, run: (instance: TestAgent, state: DurableObjectState) => R | Promise<R>) =>
  runInDurableObject<TestAgent, R>(agent, run);
