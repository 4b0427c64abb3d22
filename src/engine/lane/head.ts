import { claim, type ClaimRefusal, type Decision, settle, skip, SKIPPED_BY_RESET } from "../../commands/index.ts";
import { turnStream } from "../../events/index.ts";
import type { QueueRow } from "../../projections/index.ts";
import type { QueueQueries } from "../../queries/index.ts";
import { ENGINE } from "../cause.ts";
import type { Follower } from "../follower.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { report } from "../console.ts";
import { messageOf } from "../message-of.ts";
import { isPlatformFailure } from "../platform-failure.ts";
import type { AnswerStreams, ClaimedTurn, Clock, Conversation } from "../ports.ts";
import type { Store } from "../store.ts";
import { writeAlongside } from "../write-alongside.ts";
import { Interrupted } from "./interrupted.ts";
import type { TurnInputs } from "./turn-inputs.ts";

const GONE_ON = "The conversation has gone on from the answer that was to be continued.";

/** How long a turn that is held back can be superseded without the lane noticing. */
const HELD_LOOK_MS = 100;

export type HeadParts = {
  readonly store: Store;
  readonly queue: QueueQueries;
  readonly dispatcher: Dispatcher;
  readonly followers: readonly Follower[];
  readonly conversation: Conversation;
  readonly inputs: TurnInputs;
  readonly answers: AnswerStreams;
  readonly clock: Clock;
  /** Make the read models what the log says they are. */
  readonly rebuild: () => void;
};

/** The head of the lane: what was cut off there, and what is next. */
export class Head {
  readonly #parts: HeadParts;
  readonly #interrupted: Interrupted;
  /** The queue was found to contradict the log, and was made anew. */
  #rebuilt = false;

  constructor(parts: HeadParts) {
    this.#parts = parts;
    this.#interrupted = new Interrupted(parts);
  }

  /** Deal with a turn that is on record as running though nothing runs it: the object stopped in its middle. */
  async recoverInterrupted(): Promise<void> {
    const { queue } = this.#parts;
    for (let row = queue.head().running; row; row = queue.head().running) {
      const done = await this.#interrupted.deal(row);
      if (!done) this.#contradicted(`Turn ${row.turnId} is running in the queue, but not in its stream`);
    }
    await this.#parts.answers.sweep();
  }

  /** Is this claim still the one on record, or has somebody ended it since? */
  holds({ turnId, epoch }: ClaimedTurn): boolean {
    const { turn } = this.#parts.store.justWritten(turnStream(turnId));
    return turn?.status === "running" && turn.epoch === epoch;
  }

  /** Claim the next turn that can run; those before it that cannot end here. `undefined`: nothing waits. */
  async claimNext(): Promise<ClaimedTurn | undefined> {
    for (;;) {
      const { running, next } = this.#parts.queue.head();
      if (!next) return undefined;
      const wait = this.#heldFor(next);
      if (wait > 0) {
        await scheduler.wait(Math.min(wait, HELD_LOOK_MS));
        continue;
      }
      if (running) {
        this.#contradicted(`Turn ${running.turnId} is running in the queue, but nothing runs it`);
        continue;
      }
      const claimed = await this.#claim(next);
      if (claimed) return claimed;
      const again = this.#parts.queue.head().next;
      if (again?.ordinal === next.ordinal && !this.#waits(again)) {
        this.#contradicted(`Turn ${next.turnId} waits in the queue, but not in its stream`);
      }
    }
  }

  /** A turn that is not to be claimed yet keeps its place: for so many milliseconds. */
  #heldFor({ turnId }: QueueRow): number {
    const { inputs, clock } = this.#parts;
    const { notBefore } = inputs.held(turnId);
    return notBefore === undefined ? 0 : notBefore - clock.now();
  }

  /** The log is right. Once the queue has been made from it, a second contradiction is not one that heals. */
  #contradicted(fault: string): void {
    if (this.#rebuilt) throw new Error(fault);
    report(`${fault}; the read models are made anew from the log`, this.#parts.queue.head());
    this.#rebuilt = true;
    this.#parts.rebuild();
  }

  async #claim(row: QueueRow): Promise<ClaimedTurn | undefined> {
    const { conversation, store, inputs, followers } = this.#parts;
    const waiting = this.#state(row).turn;
    if (!waiting) return undefined;
    const input = inputs.read(waiting);
    const { branchFrom } = waiting.submitted;
    if (typeof branchFrom === "string" && !(await this.#isReachable(branchFrom))) {
      return this.#fail(row, `Message "${branchFrom}", where the turn was to branch off, is not in the conversation`);
    }
    const { fresh, changed } =
      input.kind === "messages" ? await conversation.compare(input.messages) : { fresh: [], changed: [] };
    const { continues } = waiting.submitted;
    if (continues !== undefined && conversation.leafId() !== continues) return this.#skip(row, GONE_ON);
    // Ended meanwhile, or deleted and its id given to another turn, with other messages and another place.
    if (!this.#waits(row)) return undefined;
    // A transcript that is sent along says old things in new words; a turn that brings only such would bring nothing.
    const [known] = fresh.length === 0 ? changed : [];
    if (known !== undefined)
      return this.#fail(row, `Message "${known}" is in the conversation already, with other content`);

    // From here to the commit nothing awaits: what is read is what is written to.
    const parentId = branchFrom === undefined || waiting.applied ? conversation.leafId() : branchFrom;
    const command = { generation: store.lane().generation, laneBusy: false, parentId };
    const decision = claim(
      { ...command, ...(input.kind === "messages" && { messageIds: fresh.map(({ id }) => id) }) },
      this.#state(row),
    );
    if (decision.kind === "refuse") return this.#notClaimed(row, decision.reason);
    const heard = followers.map((follower) => follower.heard());
    try {
      writeAlongside(conversation, fresh, parentId, ({ write, committed }) => {
        const alongside = (): void => {
          write();
          followers.forEach((follower, index) => follower.saveCheckpointNowAndThen(heard[index] ?? 0));
        };
        return this.#record(row, decision, alongside, committed);
      });
    } catch (error) {
      for (const follower of followers) follower.rolledBack();
      if (isPlatformFailure(error)) throw error;
      return this.#fail(row, messageOf(error));
    }
    if (input.kind === "unreadable") return this.#fail(row, input.error);
    // Messages that came first begin another path.
    if (!conversation.isReady()) await conversation.ready();
    const { turn } = this.#parts.store.justWritten(turnStream(row.turnId));
    return turn && { turnId: row.turnId, epoch: turn.epoch, turn, input, held: inputs.held(row.turnId) };
  }

  /** A message of another path is gone to: the turn is about that one. */
  async #isReachable(messageId: string): Promise<boolean> {
    const { conversation } = this.#parts;
    await conversation.ready();
    return conversation.messages().some(({ id }) => id === messageId) || (await conversation.branch(messageId));
  }

  #notClaimed(row: QueueRow, reason: ClaimRefusal): undefined {
    if (reason === "stale-generation") this.#skip(row, SKIPPED_BY_RESET);
  }

  #skip(row: QueueRow, error: string): undefined {
    this.#record(row, skip({ error }, this.#state(row)));
  }

  /** The turn cannot start, through a fault of its own: it ends here, and those behind it run. */
  #fail(row: QueueRow, error: string): undefined {
    this.#record(row, claim({ generation: 0, laneBusy: false, parentId: null }, this.#state(row)));
    const epoch = this.#state(row).turn?.epoch ?? 0;
    this.#record(row, settle({ epoch, outcome: { status: "error", error } }, this.#state(row)));
  }

  #waits(row: QueueRow): boolean {
    const { turn } = this.#state(row);
    return turn?.status === "pending" && turn.ordinal === row.ordinal;
  }

  #state(row: QueueRow) {
    return this.#parts.store.turn(turnStream(row.turnId));
  }

  /** `false` when the decider refused. */
  #record(row: QueueRow, decision: Decision<string>, alongside?: () => void, committed?: () => void): boolean {
    if (decision.kind === "refuse") return false;
    const cause = { actor: ENGINE, causationId: `event:${row.ordinal}` };
    this.#parts.dispatcher.record(decision.appends, cause, alongside, committed);
    return true;
  }
}
