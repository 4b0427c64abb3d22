import type { UIMessage } from "ai";
import type { Turn } from "../commands/index.ts";
import { isKnown, turnStream } from "../events/index.ts";
import type { Store } from "../engine/store.ts";
import { answerId, ordinalOfAnswer } from "../turn/answer-id.ts";

/** Finds the turn that wrote a message, and the tools that its client runs. */
export class TurnLookup {
  readonly #store: () => Store;

  constructor(store: () => Store) {
    this.#store = store;
  }

  /** `undefined` for a message that no turn of this log wrote. */
  turnOf(messageId: string): Turn | undefined {
    const ordinal = ordinalOfAnswer(messageId);
    const store = this.#store();
    const opening = ordinal === undefined ? undefined : store.log.at(ordinal);
    if (!opening || !isKnown(opening) || opening.type !== "TurnSubmitted") return undefined;
    const { turn } = store.turn(turnStream(opening.data.turnId));
    return turn && answerId(turn) === messageId ? turn : undefined;
  }

  /** Names of the tools that the client brought to the turn of this message. */
  clientToolsOf({ id }: UIMessage): ReadonlySet<string> {
    const { clientTools } = this.turnOf(id)?.submitted ?? {};
    return clientTools === undefined ? new Set() : this.namesIn(this.#store().payloads.get(clientTools));
  }

  namesIn(json: string | undefined): ReadonlySet<string> {
    const tools = json === undefined ? [] : (JSON.parse(json) as readonly { name: string }[]);
    return new Set(tools.map(({ name }) => name));
  }
}
