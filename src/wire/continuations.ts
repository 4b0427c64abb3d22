import type { UIMessage } from "ai";
import { isKnown, turnStream } from "../events/index.ts";
import type { Cause } from "../engine/cause.ts";
import { type Admitted, asContent, type Content } from "../engine/admission.ts";
import { channelOf } from "../engine/blocking-request.ts";
import { hasPendingInteraction, type IsClientTool, toolCallOf } from "./tool-calls.ts";
import type { ClientInputs } from "./client-inputs.ts";
import type { TurnLookup } from "./turn-lookup.ts";
import type { WireParts } from "./parts.ts";

type ContinuationParts = {
  readonly parts: () => WireParts;
  /** For an answer that no turn of this log wrote. */
  readonly inputs: () => ClientInputs;
  readonly lookup: TurnLookup;
  readonly uuid: () => string;
};

/** Answers that go on by themselves, once all that the model waits for has come. */
export class Continuations {
  readonly #needs: ContinuationParts;
  /** Somebody asked for it, and something is missing. */
  #armed: { readonly owner: string | undefined; readonly clientTools: Content | undefined } | undefined;
  /** The connection whose answer each continuation goes on from. */
  readonly #owners = new Map<string, string>();

  constructor(needs: ContinuationParts) {
    this.#needs = needs;
  }

  get isArmed(): boolean {
    return this.#armed !== undefined;
  }

  ownerOf(turnId: string): string | undefined {
    return this.#owners.get(turnId);
  }

  /**
   * @param owner - The connection that answered.
   * @param clientTools - JSON of the tools that it says there are now.
   */
  arm(owner?: string, clientTools?: string): void {
    this.#armed = { owner, clientTools: clientTools === undefined ? undefined : { json: clientTools } };
  }

  disarm(): void {
    this.#armed = undefined;
  }

  ended(turnId: string): void {
    this.#owners.delete(turnId);
  }

  /** A call was answered in an earlier life of the object, and the answer was to go on. */
  takeUp(): void {
    const newest = this.#needs.parts().conversation.messages().at(-1);
    if (this.#armed || !newest || !endsWithCall(newest)) return;
    if (this.wasAskedFor(newest.id)) this.arm();
  }

  /** Did an answer to a call of this message ask to go on? */
  wasAskedFor(messageId: string): boolean {
    const { engine } = this.#needs.parts();
    const turn = this.#needs.lookup.turnOf(messageId);
    if (!turn) return false;
    return engine.store.log
      .readStream(turnStream(turn.submitted.turnId))
      .filter(isKnown)
      .some(({ type, data }) => type === "ToolAnswered" && data.messageId === messageId && data.continues);
  }

  /** Go on, if it was asked for and nothing is missing. */
  next(isClientTool: IsClientTool, cause: Cause): Admitted | undefined {
    const { engine, conversation, live } = this.#needs.parts();
    if (!this.#armed || live.message) return undefined;
    const messages = conversation.messages();
    const newest = messages.at(-1);
    // The conversation has gone on without it.
    if (newest?.role !== "assistant") {
      this.disarm();
      return undefined;
    }
    if (hasPendingInteraction([newest], isClientTool)) return undefined;
    const { owner, clientTools } = this.#armed;
    this.disarm();
    const requestId = this.#needs.uuid();
    if (owner !== undefined) this.#owners.set(requestId, owner);
    const before = this.#inputsOf(newest);
    const request = {
      requestId,
      trigger: "auto-continuation",
      continuation: true,
      channel: channelOf(messages),
      clientTools: clientTools ?? before.clientTools,
      body: before.body,
      held: {},
    } as const;
    return engine.admission.admit(request, cause);
  }

  /** What the client brought to the turn that is gone on with. */
  #inputsOf(message: UIMessage): { readonly clientTools: Content | undefined; readonly body: Content | undefined } {
    const submitted = this.#needs.lookup.turnOf(message.id)?.submitted;
    if (!submitted) {
      const { clientTools, body } = this.#needs.inputs().last;
      return { clientTools: asContent(clientTools), body: asContent(body) };
    }
    const { clientTools, body } = submitted;
    return {
      clientTools: clientTools === undefined ? undefined : { digest: clientTools },
      body: body === undefined ? undefined : { digest: body },
    };
  }
}

const endsWithCall = ({ role, parts }: UIMessage): boolean => {
  const last = parts.at(-1);
  return role === "assistant" && last !== undefined && toolCallOf(last) !== undefined;
};
