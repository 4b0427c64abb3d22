import type { Connection } from "agents";
import type { AnswerStore } from "../turn/answer-store.ts";
import type { Audience } from "./audience.ts";
import type { ClientInputs } from "./client-inputs.ts";
import type { MessageConcurrency } from "./concurrency.ts";
import type { WireParts } from "./parts.ts";
import type { IsClientTool } from "./tool-calls.ts";

/** The alarm, as far as calls that wait for an answer are concerned. */
export type InteractionAlarm = {
  readonly time: () => number | undefined;
  readonly set: (time: number) => Promise<void>;
  readonly cancel: () => Promise<void>;
};

/** What the wire needs from the agent. */
export type WireNeeds = {
  readonly audience: Audience;
  readonly answers: AnswerStore;
  /** Once the agent has started. */
  readonly parts: () => WireParts;
  readonly inputs: () => ClientInputs;
  readonly strategy: () => MessageConcurrency;
  /** How long a call waits for its answer, in milliseconds; `undefined`: for ever. */
  readonly interactionTimeout: () => number | undefined;
  readonly interactionAlarm: () => InteractionAlarm;
  /** Is it a tool of the agent's own that it leaves to clients? */
  readonly isOwnClientTool: IsClientTool;
  readonly isReadonly: (connection: Connection) => boolean;
  /** The request cannot be used: the agent hears of it, and says in which words the client does. */
  readonly refused: (error: unknown, requestId: string | undefined) => unknown;
  readonly clear: () => Promise<void>;
  readonly now: () => number;
  readonly uuid: () => string;
};
