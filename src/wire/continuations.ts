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
  readonly now: () => number;
  readonly uuid: () => string;
};

/** Somebody asked for the answer to go on, and something is missing. */
type Armed = {
  readonly messageId: string;
  /** The connection that answered. */
  readonly owner: string | undefined;
  /** Tools that it says there are now. */
  readonly clientTools: Content | undefined;
};

/** The client that answered looks for what goes on, and is to find it before it is said. */
const BREATH_MS = 50;

/** Events that are looked through for a continuation; beyond them one is taken to be there. */
const LOOK_AHEAD = 1_000;

/** Answers that go on by themselves, once all that the model waits for has come. */
export class Continuations {
  readonly #needs: ContinuationParts;
  #armed: Armed | undefined;
  /** The connection whose answer each continuation goes on from. */
  readonly #owners = new Map<string, string>();

  constructor(needs: ContinuationParts) {
    this.#needs = needs;
  }

  get isArmed(): boolean {
    return this.#armed !== undefined;
  }

  /** Who waits for the answer that is to go on. */
  get owner(): string | undefined {
    return this.#armed?.owner;
  }

  ownerOf(turnId: string): string | undefined {
    return this.#owners.get(turnId);
  }

  /** @param clientTools - JSON of the tools that the answer brought; those of an earlier answer hold without. */
  arm(messageId: string, owner?: string, clientTools?: string): void {
    const before = this.#armed?.messageId === messageId ? this.#armed : undefined;
    this.#armed = {
      messageId,
      owner: owner ?? before?.owner,
      clientTools: clientTools === undefined ? before?.clientTools : { json: clientTools },
    };
  }

  /** @param messageId - Only if it is this answer that is to go on. */
  disarm(messageId?: string): void {
    if (messageId === undefined || this.#armed?.messageId === messageId) this.#armed = undefined;
  }

  ended(turnId: string): void {
    this.#owners.delete(turnId);
  }

  /** Did an answer that came in an earlier life of the object ask to go on, and nothing came of it? */
  takeUp(): void {
    const newest = this.#needs.parts().conversation.messages().at(-1);
    if (this.#armed || !newest || !endsWithCall(newest)) return;
    if (this.#needs.lookup.turnOf(newest.id)?.status !== "completed") return;
    if (this.isAskedFor(newest.id)) this.arm(newest.id);
  }

  /** Did an answer to a call of this message ask to go on, and no continuation has come after it? */
  isAskedFor(messageId: string): boolean {
    const asked = this.#askedAt(messageId);
    return asked !== undefined && !this.#wasContinued(messageId, asked);
  }

  /** Go on, if it was asked for and nothing is missing. */
  next(isClientTool: IsClientTool, cause: Cause): Admitted | undefined {
    const { engine, conversation, live } = this.#needs.parts();
    if (!this.#armed || live.message) return undefined;
    const { messageId, owner, clientTools } = this.#armed;
    const messages = conversation.messages();
    const newest = messages.at(-1);
    // The conversation has gone on without it.
    if (newest?.id !== messageId) {
      this.disarm();
      return undefined;
    }
    if (hasPendingInteraction([newest], isClientTool)) return undefined;
    this.disarm();
    const requestId = this.#needs.uuid();
    if (owner !== undefined) this.#owners.set(requestId, owner);
    const before = this.#inputsOf(newest);
    const request = {
      requestId,
      trigger: "auto-continuation",
      continuation: true,
      continues: messageId,
      channel: channelOf(messages),
      clientTools: clientTools ?? before.clientTools,
      body: before.body,
      held: { notBefore: this.#needs.now() + BREATH_MS },
    } as const;
    return engine.admission.admit(request, cause);
  }

  /** Where in the log the newest such answer is. */
  #askedAt(messageId: string): number | undefined {
    const { engine } = this.#needs.parts();
    const turn = this.#needs.lookup.turnOf(messageId);
    if (!turn) return undefined;
    return engine.store.log
      .readStream(turnStream(turn.submitted.turnId))
      .filter(isKnown)
      .findLast(({ type, data }) => type === "ToolAnswered" && data.messageId === messageId && data.continues)
      ?.position;
  }

  #wasContinued(messageId: string, asked: number): boolean {
    const after = this.#needs.parts().engine.store.log.after(asked, LOOK_AHEAD);
    const isContinuation = after.some(
      (event) => isKnown(event) && event.type === "TurnSubmitted" && event.data.continues === messageId,
    );
    return isContinuation || after.length === LOOK_AHEAD;
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
