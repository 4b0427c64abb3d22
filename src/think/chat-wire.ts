import type { Connection } from "agents";
import type { ToolSet } from "ai";
import type { Telemetry } from "../engine/ports.ts";
import { checkTimeout } from "../input/timeout.ts";
import type { AnswerStore } from "../turn/answer-store.ts";
import { surface } from "../turn/failure.ts";
import type { TurnHooks } from "../turn/hooks.ts";
import { Audience } from "../wire/audience.ts";
import { ChatWire } from "../wire/chat-wire.ts";
import { ClientInputs } from "../wire/client-inputs.ts";
import type { MessageConcurrency } from "../wire/concurrency.ts";
import type { InteractionAlarm } from "../wire/needs.ts";
import { clearConversation } from "./clear.ts";
import { engineOf, internalsOf, memoryOf } from "./internals.ts";

/** What the wire asks of an agent. Read anew each time: fields are set after construction. */
type ChattingAgent = TurnHooks & {
  readonly messageConcurrency: MessageConcurrency;
  readonly interactionTimeoutMs: number | undefined;
  readonly parentPath: readonly unknown[];
  getTools(): ToolSet;
  getConnections(): Iterable<Connection>;
  isConnectionReadonly(connection: Connection): boolean;
};

type WireWorld = {
  readonly answers: AnswerStore;
  readonly telemetry: Telemetry;
  readonly kv: () => SyncKvStorage;
  readonly alarm: () => InteractionAlarm;
  readonly now: () => number;
  readonly uuid: () => string;
};

/** The chat protocol of one agent. */
export function chatWire(agent: ChattingAgent, world: WireWorld): ChatWire {
  const { answers, telemetry, kv, alarm, now, uuid } = world;
  let inputs: ClientInputs | undefined;
  return new ChatWire({
    audience: new Audience(agent),
    answers,
    parts: () => ({
      engine: engineOf(agent),
      conversation: memoryOf(agent).conversation,
      live: internalsOf(agent).live,
    }),
    inputs: () => (inputs ??= new ClientInputs(kv())),
    strategy: () => agent.messageConcurrency,
    // An agent inside of another has no alarm.
    interactionTimeout: () =>
      agent.parentPath.length > 0 ? undefined : checkTimeout(agent.interactionTimeoutMs, "interactionTimeoutMs"),
    interactionAlarm: alarm,
    isOwnClientTool: (name) => {
      const tool = agent.getTools()[name];
      return tool !== undefined && tool.execute === undefined;
    },
    isReadonly: (connection) => agent.isConnectionReadonly(connection),
    refused: (error, requestId) =>
      surface({ hooks: agent, telemetry }, error, {
        stage: "parse",
        messagesPersisted: false,
        ...(requestId !== undefined && { requestId }),
      }),
    clear: async () => void (await clearConversation(agent)),
    now,
    uuid,
  });
}
