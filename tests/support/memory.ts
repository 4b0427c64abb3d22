import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getAgentByName } from "agents";
import type { UIMessage } from "ai";
import type { ModelCall } from "../../src/testing/index.ts";
import { calls, type MemoryAgent, type Setup, setups } from "./memory-agent.ts";

/** The agent of one test, called from inside its object. */
export type Memory = {
  readonly name: string;
  readonly in: <R>(run: (agent: MemoryAgent, state: DurableObjectState) => R | Promise<R>) => Promise<R>;
  /** Drop the instance; the next call wakes a fresh one on the same storage. */
  readonly restart: () => Promise<void>;
  readonly setUp: (setup: Partial<Setup>) => void;
  /** What the model was asked, over all lives. */
  readonly calls: () => readonly ModelCall[];
  /** A question, answered. */
  readonly ask: (question: string, id?: string) => Promise<void>;
  /** Ids of the active path, as it is stored. */
  readonly path: () => Promise<string[]>;
};

const namespace = (env as unknown as { MemoryAgent: DurableObjectNamespace<MemoryAgent> }).MemoryAgent;

export async function memory(setup: Partial<Setup> = {}): Promise<Memory> {
  const name = `memory-${crypto.randomUUID()}`;
  setups.set(name, setup);
  const stub = (await getAgentByName(namespace as never, name)) as unknown as DurableObjectStub<MemoryAgent>;
  const run = <R>(body: (agent: MemoryAgent, state: DurableObjectState) => R | Promise<R>): Promise<R> =>
    runInDurableObject<MemoryAgent, R>(stub, async (agent, state) => {
      await agent.lifecycle.start();
      return body(agent, state);
    });
  return {
    name,
    in: run,
    restart: () => evictDurableObject(stub),
    setUp: (more) => setups.set(name, { ...setups.get(name), ...more }),
    calls: () => calls.get(name) ?? [],
    ask: async (question, id = crypto.randomUUID()) => {
      await run((agent) => agent.saveMessages([said("user", question, id)]));
    },
    path: () => run(async (agent) => (await agent.session.getHistory()).map((message) => message.id)),
  };
}

/** A message of one text. */
export const said = (role: "user" | "assistant", words: string, id: string = crypto.randomUUID()): UIMessage => ({
  id,
  role,
  parts: [{ type: "text", text: words }],
});

export const ids = (messages: readonly { id: string }[]): string[] => messages.map(({ id }) => id);
