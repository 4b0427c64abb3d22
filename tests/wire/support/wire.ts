import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getAgentByName } from "agents";
import type { UIMessage } from "ai";
import { WireClient } from "./client.ts";
import { setUpWire, type WireAgent, type WireSetup } from "./wire-agent.ts";

const namespace = (env as unknown as { WireAgent: DurableObjectNamespace<WireAgent> }).WireAgent;

/** What a test sees of an agent beside its sockets: public methods, over RPC. */
export type WireCalls = Pick<
  WireAgent,
  "addMessages" | "auditLog" | "clearMessages" | "getMessages" | "saveMessages" | "submitMessages" | "waitForSubmission"
>;

let count = 0;

/** A fresh agent that does what the setup says, and the ways to it. */
export async function wire(setup: Partial<WireSetup> = {}) {
  count += 1;
  const name = `wire-${count}-${crypto.randomUUID().slice(0, 8)}`;
  setUpWire(name, setup);
  const stub = async () => (await getAgentByName(namespace as never, name)) as unknown as DurableObjectStub<WireAgent>;
  const first = await stub();
  return {
    name,
    agent: first as unknown as WireCalls,

    /** A tab: a real socket to the agent. */
    connect: async (query = ""): Promise<WireClient> => {
      const headers = { Upgrade: "websocket" };
      const { webSocket, status } = await (await stub()).fetch(`http://agent.test/${query}`, { headers });
      if (!webSocket) throw new Error(`The agent did not take the socket: ${status}`);
      const client = new WireClient(webSocket);
      webSocket.accept();
      return client;
    },

    fetch: async (path: string, init?: RequestInit): Promise<Response> =>
      (await stub()).fetch(new Request(`http://agent.test/${path}`, init)),

    /** Code inside the object. */
    inside: async <R>(run: (agent: WireAgent, state: DurableObjectState) => R | Promise<R>): Promise<R> =>
      runInDurableObject<WireAgent, R>(await stub(), run),

    /** Drop the instance and keep its sockets; the next call or frame wakes a fresh one on the same storage. */
    restart: async (): Promise<void> => evictDurableObject(await stub()),

    /** Kill the instance in the middle of whatever it does, sockets and all. */
    crash: async (): Promise<void> => {
      await runInDurableObject(await stub(), (_, state) => state.abort("crashed by the test")).catch(() => {});
    },
  };
}

/** The stored conversation. */
export const stored = async (agent: WireCalls): Promise<UIMessage[]> => agent.getMessages();

/** Types of the events of one turn, oldest first. */
export const eventsOf = async (agent: WireCalls, id: string): Promise<string[]> =>
  (await agent.auditLog({ submissionId: id })).events.map(({ type }) => type);
