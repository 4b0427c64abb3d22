import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getAgentByName } from "agents";
import { setUpTurns, type TurnAgent, type TurnSetup } from "./turn-agent.ts";

const namespace = (env as unknown as { TurnAgent: DurableObjectNamespace<TurnAgent> }).TurnAgent;

let count = 0;

/**
 * Run a test's code inside a fresh agent with these hooks: blocking turns take functions and signals,
 * which do not cross to another object.
 */
export async function insideTurnAgent<R>(
  setup: Partial<TurnSetup>,
  run: (agent: TurnAgent, state: DurableObjectState) => Promise<R>,
): Promise<R> {
  count += 1;
  const name = `turns-${count}-${crypto.randomUUID().slice(0, 8)}`;
  setUpTurns(name, setup);
  const stub = (await getAgentByName(namespace as never, name)) as unknown as DurableObjectStub<TurnAgent>;
  return runInDurableObject<TurnAgent, R>(stub, run);
}
