import type { UIMessage } from "ai";
import {
  applyMessages,
  type Decision,
  finishStep,
  linkMessage,
  settle,
  startToolCall,
  type TurnState,
} from "../commands/index.ts";
import { turnStream } from "../events/index.ts";
import { ENGINE } from "./cause.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { isPlatformFailure } from "./platform-failure.ts";
import type {
  AnswerStreams,
  ClaimedTurn,
  Conversation,
  Ids,
  Settled,
  StepRecord,
  TurnEnd,
  TurnRecorder,
} from "./ports.ts";
import type { Store } from "./store.ts";
import { openCalls, withUnknownOutcomes } from "./unknown-outcomes.ts";
import { writeAlongside } from "./write-alongside.ts";

type Parts = {
  readonly store: Store;
  readonly dispatcher: Dispatcher;
  readonly conversation: Conversation;
  readonly ids: Pick<Ids, "salt">;
  readonly answers: AnswerStreams;
};

/**
 * The records of one claim. Each is refused once the claim is lost. When the platform fails one of them, the
 * attempt is over without an outcome: what it says afterwards would only tell of the platform's failure.
 */
export class ClaimRecorder implements TurnRecorder {
  readonly #parts: Parts;
  readonly #claimed: ClaimedTurn;
  readonly #stream: string;
  readonly #giveUp: (error: unknown) => void;
  #failure: { readonly error: unknown } | undefined;
  /** The stored message that the turn answers. */
  #answered: string | null;

  /** @param giveUp - Stops the attempt. */
  constructor(parts: Parts, claimed: ClaimedTurn, giveUp: (error: unknown) => void) {
    this.#parts = parts;
    this.#claimed = claimed;
    this.#stream = turnStream(claimed.turnId);
    this.#giveUp = giveUp;
    this.#answered = this.#leafId();
  }

  async applyMessages(messages: readonly UIMessage[]): Promise<boolean> {
    const { conversation } = this.#parts;
    // A function may give back what it got: what is stored stays as it is, whatever it says.
    const { fresh } = await conversation.compare(messages);
    const parentId = this.#leafId();
    const messageIds = fresh.map(({ id }) => id);
    const { epoch } = this.#claimed;
    const applied = this.#guarded(() =>
      this.#recordWith(applyMessages({ epoch, messageIds, parentId }, this.#state()), fresh, parentId),
    );
    this.#answered = this.#leafId();
    return applied;
  }

  toolStarts(call: { step: number; toolCallId: string; toolName: string }): boolean {
    return this.#guarded(() => this.#record(startToolCall({ epoch: this.#claimed.epoch, ...call }, this.#state())));
  }

  stepFinished(step: StepRecord): boolean {
    return this.#guarded(() => this.#record(finishStep({ epoch: this.#claimed.epoch, ...step }, this.#state())));
  }

  async settle(end: TurnEnd): Promise<Settled> {
    const settled = await this.#settle(end);
    // A branch moves the path: who hears of the end next is to see it.
    const { conversation } = this.#parts;
    if (!conversation.isReady()) await conversation.ready();
    return settled;
  }

  async #settle({ outcome, message, changed = [], output, steps }: TurnEnd): Promise<Settled> {
    if (this.#failure) throw this.#failure.error;
    const { conversation, store, ids, answers } = this.#parts;
    await conversation.ready();
    const { epoch, turn } = this.#claimed;
    const discard = (): void => answers.discard({ ordinal: turn.ordinal, epoch });
    const stored = output === undefined ? undefined : store.payloads.prepare(output, ids.salt());
    const command = {
      epoch,
      outcome: stored && outcome.status === "completed" ? { ...outcome, output: stored.digest } : outcome,
      steps: steps.map((step) => ({ epoch, ...step })),
      ...(message && { messageId: message.id }),
    };
    const messages = message ? [message] : [];
    const settled = settle(command, this.#state());
    const written = [...changed, ...messages];
    const alongside = (): void => {
      stored?.write();
      discard();
    };
    if (this.#recordWith(settled, written, this.#answerParent(), alongside)) return "kept";
    // Somebody ended the turn first. What was streamed of a cancelled answer is kept; after a reset nothing is.
    const isReset = this.#isReset();
    if (!isReset) this.#tellUnknown(changed);
    if (message && !isReset) {
      this.#recordWith(
        linkMessage({ epoch, messageId: message.id }, this.#state()),
        written,
        this.#answerParent(),
        discard,
      );
    }
    discard();
    return isReset ? "reset" : "kept";
  }

  /** Calls of the turn that ended in their middle: what they did cannot be known any more. */
  #tellUnknown(changed: readonly UIMessage[]): void {
    const { conversation, store } = this.#parts;
    if (!this.#state().turn?.toolsStarted) return;
    const settled = new Set(changed.map(({ id }) => id));
    const path = conversation.messages().filter(({ id }) => !settled.has(id));
    const unknown = withUnknownOutcomes(path, openCalls(store, this.#stream));
    if (unknown.length === 0) return;
    writeAlongside(conversation, unknown, null, ({ write }) => {
      store.atomically(write);
      return true;
    });
  }

  #guarded<T>(record: () => T): T {
    if (this.#failure) throw this.#failure.error;
    try {
      return record();
    } catch (error) {
      if (isPlatformFailure(error)) {
        this.#failure = { error };
        this.#giveUp(error);
      }
      throw error;
    }
  }

  #state(): TurnState {
    return this.#parts.store.turn(this.#stream);
  }

  #isReset(): boolean {
    return this.#claimed.turn.submitted.generation < this.#parts.store.lane().generation;
  }

  /** The end of the path that the turn is on; when somebody went to another branch meanwhile, what it answers. */
  #answerParent(): string | null {
    // Beside the answers that there are, which stay where they are until this one is stored.
    const { branchFrom, payload } = this.#claimed.turn.submitted;
    if (typeof branchFrom === "string" && payload === undefined) return branchFrom;
    const onPath = this.#parts.conversation.messages().some(({ id }) => id === this.#answered);
    return this.#answered === null || onPath ? this.#leafId() : this.#answered;
  }

  #leafId(): string | null {
    return this.#parts.conversation.leafId();
  }

  #record(decision: Decision<string>, alongside?: () => void, committed?: () => void): boolean {
    if (decision.kind === "refuse") return false;
    const cause = { actor: ENGINE, causationId: `claim:${this.#claimed.turnId}:${this.#claimed.epoch}` };
    this.#parts.dispatcher.record(decision.appends, cause, alongside, committed);
    return true;
  }

  #recordWith(
    decision: Decision<string>,
    messages: readonly UIMessage[],
    parentId: string | null,
    write?: () => void,
  ): boolean {
    return writeAlongside(this.#parts.conversation, messages, parentId, (alongside) => {
      const writes = (): void => {
        alongside.write();
        write?.();
      };
      return this.#record(decision, writes, alongside.committed);
    });
  }
}
