import type { UIMessage } from "ai";
import { turnStream } from "../events/index.ts";
import type { Admitted, TurnRequest } from "../engine/admission.ts";
import type { Cause } from "../engine/cause.ts";
import { ThinkInputError } from "../errors.ts";
import { serializeObject } from "../input/json-object.ts";
import { serializeMessages } from "../input/messages.ts";
import { sameJson } from "../input/same-messages.ts";
import { stampMessages } from "../input/stamp.ts";
import type { QueueRow } from "../projections/index.ts";
import { asStored } from "./adapter.ts";
import type { ClientInput, ClientInputs } from "./client-inputs.ts";
import { checkConcurrency, decideSubmit, type MessageConcurrency, type SubmitDecision } from "./concurrency.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { WireParts } from "./parts.ts";
import { waitingMessages } from "./waiting-messages.ts";

/** Requests that may wait at a time: a flood ends in refusals, not in a queue that nobody sees the end of. */
export const MAX_WAITING = 100;

const CHANNEL = "web";

type RequestParts = {
  readonly parts: () => WireParts;
  readonly inputs: () => ClientInputs;
  readonly strategy: () => MessageConcurrency;
  readonly now: () => number;
  readonly uuid: () => string;
};

/** What a request comes to. */
export type Accepted =
  | { readonly kind: "admitted"; readonly admitted: Admitted }
  /** Another turn is there, and the agent wants one at a time. */
  | { readonly kind: "dropped" }
  /** The same request, again. */
  | { readonly kind: "known" };

/** Turns requests of clients into turns on record. */
export class RequestIntake {
  readonly #needs: RequestParts;

  constructor(needs: RequestParts) {
    this.#needs = needs;
  }

  /** @throws {ThinkInputError} naming the field at fault; nothing is stored then. */
  async accept(frame: ChatRequest, cause: Cause): Promise<Accepted> {
    const { engine, conversation } = this.#needs.parts();
    const stream = turnStream(frame.requestId);
    if (engine.store.turn(stream).version > 0) return this.#known(stream);
    const messages = checked(frame.messages);
    const body = serializeObject(frame.body, "body");
    await conversation.ready();
    const fresh = await this.#fresh(messages);
    // From here on nothing awaits: what is decided is what is recorded.
    if (engine.store.turn(stream).version > 0) return this.#known(stream);
    const waiting = engine.queue.all();
    if (waiting.length >= MAX_WAITING) {
      throw new ThinkInputError("too-many", "messages", `${waiting.length} turns are waiting already; try again later`);
    }
    const branch = this.#branch(frame, messages, fresh);
    const decision: SubmitDecision = branch
      ? { kind: "run" }
      : decideSubmit(checkConcurrency(this.#needs.strategy()), { overlapping: waiting.length > 0 });
    if (decision.kind === "drop") return { kind: "dropped" };
    const superseded = decision.kind === "supersede" ? this.#supersedable(waiting) : [];
    const waitMs = decision.kind === "supersede" ? decision.waitMs : 0;
    const request: TurnRequest = {
      requestId: frame.requestId,
      trigger: "ws-chat",
      channel: CHANNEL,
      ...contentOf(this.#needs.inputs().request(frame.clientTools, body)),
      ...(branch ?? { messages: this.#withEarlier(superseded, fresh), supersedes: superseded }),
      held: waitMs > 0 ? { notBefore: this.#needs.now() + waitMs } : {},
    };
    return { kind: "admitted", admitted: engine.admission.admit(request, cause) };
  }

  #supersedable(waiting: readonly QueueRow[]): string[] {
    return waiting
      .filter(({ status, turnId }) => status === "pending" && this.#isSubmit(turnId))
      .map(({ turnId }) => turnId);
  }

  /** A request that goes back in the conversation: an answer is made again, or a question was edited. */
  #branch(
    { trigger }: ChatRequest,
    messages: readonly UIMessage[],
    fresh: readonly UIMessage[],
  ): Pick<TurnRequest, "branchFrom" | "messages"> | undefined {
    const last = messages.at(-1);
    if (!last || fresh.length > 0) return undefined;
    if (trigger === "regenerate-message") return { branchFrom: last.id };
    const path = this.#needs.parts().conversation.messages();
    const index = path.findLastIndex(({ id }) => id === last.id);
    const stored = path[index];
    if (stored?.role !== "user" || last.role !== "user" || saysTheSame(stored, last)) return undefined;
    // Beside what was asked before, which stays: so it gets an id of its own.
    const edited = stampMessages([{ ...last, id: this.#needs.uuid() }], { channel: CHANNEL });
    return { branchFrom: path[index - 1]?.id ?? null, messages: edited };
  }

  #known(stream: string): Accepted {
    const { turn } = this.#needs.parts().engine.store.turn(stream);
    if (turn?.submitted.trigger === "ws-chat") return { kind: "known" };
    throw new ThinkInputError("duplicate-id", "id", "id is that of another turn");
  }

  #isSubmit(turnId: string): boolean {
    const { turn } = this.#needs.parts().engine.store.turn(turnStream(turnId));
    return turn?.submitted.trigger === "ws-chat" && turn.submitted.branchFrom === undefined;
  }

  /**
   * What the client adds. It sends its whole transcript along; but what is stored is the server's, and answers are
   * written by nobody else.
   */
  async #fresh(messages: readonly UIMessage[]): Promise<UIMessage[]> {
    const { conversation } = this.#needs.parts();
    const held = new Set(conversation.messages().map(({ id }) => id));
    const candidates = messages.filter(({ id, role }) => role === "user" && !held.has(id));
    if (candidates.length === 0) return [];
    const { fresh } = await conversation.compare(candidates);
    return stampMessages(fresh, { channel: CHANNEL });
  }

  /** The messages of the requests that it takes the place of come first. */
  #withEarlier(superseded: readonly string[], fresh: readonly UIMessage[]): UIMessage[] {
    const { store } = this.#needs.parts().engine;
    const earlier = superseded.flatMap((turnId) => waitingMessages(store, turnId));
    const ids = new Set(earlier.map(({ id }) => id));
    return [...earlier, ...fresh.filter(({ id }) => !ids.has(id))];
  }
}

const contentOf = ({ clientTools, body }: ClientInput): Pick<TurnRequest, "clientTools" | "body"> => ({
  ...(clientTools !== undefined && { clientTools: { json: clientTools } }),
  ...(body !== undefined && { body: { json: body } }),
});

/** @throws {ThinkInputError} naming the message at fault. */
function checked(messages: readonly unknown[]): readonly UIMessage[] {
  serializeMessages(messages, "a chat request");
  return messages as UIMessage[];
}

/** What is stored is without what providers left in it. */
const saysTheSame = (stored: UIMessage, message: UIMessage): boolean => sameJson(stored.parts, asStored(message).parts);
