import type { Connection } from "agents";
import { LifecycleCapability, type LifecycleJobOutcome } from "agents/lifecycle";
import type { ChatWire } from "./chat-wire.ts";
import type { WireHandlers } from "./host.ts";
import type { InteractionAlarm } from "./needs.ts";

/** Is it addressed to an agent inside of this one? Then it is that one's to answer. */
type SubAgentTraffic = {
  readonly _cf_connectionTargetsSubAgent?: (connection: Connection) => boolean;
  readonly _cf_requestTargetsSubAgent?: (request: Request) => boolean;
};

const JOB = "thinklog-interactions";

/** Puts the chat protocol before the agent's own handlers. At the start, when a subclass's fields are in place too. */
export class WireCapability extends LifecycleCapability {
  readonly #agent: WireHandlers & SubAgentTraffic;
  readonly #wire: ChatWire;

  constructor(agent: object, wire: ChatWire) {
    super("thinklog-wire");
    this.#agent = agent as WireHandlers & SubAgentTraffic;
    this.#wire = wire;
  }

  /** The wake for calls that wait; an agent inside of another has none. */
  get alarm(): InteractionAlarm {
    const { jobs } = this.lifecycle;
    return {
      time: () => jobs.get(JOB)?.time,
      set: async (time) => void (await jobs.push({ id: JOB, fn: "expire", time })),
      cancel: async () => void (await jobs.cancel(JOB)),
    };
  }

  async onJob(): Promise<LifecycleJobOutcome> {
    const next = await this.#wire.interactionsDue();
    return next === undefined ? undefined : { rescheduleAt: next };
  }

  override onStart(): void {
    const agent = this.#agent;
    const wire = this.#wire;
    const onConnect = agent.onConnect.bind(agent);
    const onMessage = agent.onMessage.bind(agent);
    const onClose = agent.onClose.bind(agent);
    const onRequest = agent.onRequest.bind(agent);

    agent.onConnect = async (connection, context) => {
      const isOurs = !agent._cf_requestTargetsSubAgent?.(context.request);
      if (isOurs) wire.connecting(connection);
      await onConnect(connection, context);
      if (!isOurs) return;
      await this.#within(connection, () => wire.connected(connection));
    };
    agent.onMessage = async (connection, message) => {
      const isOurs = !agent._cf_connectionTargetsSubAgent?.(connection);
      if (isOurs && (await this.#within(connection, () => wire.received(connection, message)))) return;
      await onMessage(connection, message);
    };
    agent.onClose = async (connection, code, reason, wasClean) => {
      wire.disconnected(connection);
      await onClose(connection, code, reason, wasClean);
    };
    agent.onRequest = async (request) => {
      const isOurs = !agent._cf_requestTargetsSubAgent?.(request);
      if (isOurs && new URL(request.url).pathname.endsWith("/get-messages")) {
        return Response.json(await wire.transcript());
      }
      return onRequest(request);
    };
  }

  /** Tools and hooks that a frame sets off find the agent, and the connection, where they look for it. */
  async #within<T>(connection: Connection, run: () => Promise<T>): Promise<T> {
    return (await this.lifecycle.runInHostContext(run, { connection })) as T;
  }
}
