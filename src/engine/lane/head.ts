import {
  claim,
  type ClaimRefusal,
  type Decision,
  recover,
  settle,
  skip,
  SKIPPED_BY_RESET,
} from "../../commands/index.ts";
import { turnStream } from "../../events/index.ts";
import type { QueueRow } from "../../projections/index.ts";
import type { QueueQueries } from "../../queries/index.ts";
import { ENGINE } from "../cause.ts";
import type { Follower } from "../follower.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { messageOf } from "../message-of.ts";
import { isPlatformFailure } from "../platform-failure.ts";
import type { ClaimedTurn, Conversation } from "../ports.ts";
import type { Store } from "../store.ts";
import { writeAlongside } from "../write-alongside.ts";
import type { TurnInputs } from "./turn-inputs.ts";

/** Interrupted attempts after which a turn is given up. */
const MAX_ATTEMPTS = 5;

export type HeadParts = {
  readonly store: Store;
  readonly queue: QueueQueries;
  readonly dispatcher: Dispatcher;
  readonly followers: readonly Follower[];
  readonly conversation: Conversation;
  readonly inputs: TurnInputs;
};

/** The head of the lane: what was cut off there, and what is next. */
export class Head {
  readonly #parts: HeadParts;

  constructor(parts: HeadParts) {
    this.#parts = parts;
  }

  /** Deal with a turn that is on record as running though nothing runs it: the object stopped in its middle. */
  recoverInterrupted(): void {
    const { queue, inputs } = this.#parts;
    for (let row = queue.head().running; row; row = queue.head().running) {
      const state = this.#state(row);
      const repeatable = state.turn !== undefined && inputs.canRead(state.turn);
      const done = this.#record(row, recover({ epoch: row.epoch, maxAttempts: MAX_ATTEMPTS, repeatable }, state));
      if (!done) throw new Error(`Turn ${row.turnId} is running in the queue, but not in its stream`);
    }
  }

  /** Claim the next turn that can run; those before it that cannot end here. `undefined`: nothing waits. */
  async claimNext(): Promise<ClaimedTurn | undefined> {
    for (;;) {
      const { running, next } = this.#parts.queue.head();
      if (!next) return undefined;
      const claimed = await this.#claim(next, running !== undefined);
      if (claimed) return claimed;
    }
  }

  async #claim(row: QueueRow, laneBusy: boolean): Promise<ClaimedTurn | undefined> {
    const { conversation, store, inputs, followers } = this.#parts;
    const waiting = this.#state(row).turn;
    if (!waiting) throw new Error(`Turn ${row.turnId} waits in the queue, but has no stream`);
    const input = inputs.read(waiting);
    const { fresh, changed } =
      input.kind === "messages" ? await conversation.compare(input.messages) : { fresh: [], changed: [] };
    // A transcript that is sent along says old things in new words; a turn that brings only such would bring nothing.
    const [known] = fresh.length === 0 ? changed : [];
    if (known !== undefined)
      return this.#fail(row, `Message "${known}" is in the conversation already, with other content`);

    // From here to the commit nothing awaits: what is read is what is written to.
    const parentId = conversation.leafId();
    const command = { generation: store.lane().generation, laneBusy, parentId };
    const decision = claim(
      { ...command, ...(input.kind === "messages" && { messageIds: fresh.map(({ id }) => id) }) },
      this.#state(row),
    );
    if (decision.kind === "refuse") return this.#notClaimed(row, decision.reason);
    const heard = followers.map((follower) => follower.heard());
    try {
      writeAlongside(conversation, fresh, parentId, (alongside) =>
        this.#record(row, decision, () => {
          alongside();
          followers.forEach((follower, index) => follower.saveCheckpointNowAndThen(heard[index] ?? 0));
        }),
      );
    } catch (error) {
      for (const follower of followers) follower.rolledBack();
      if (isPlatformFailure(error)) throw error;
      return this.#fail(row, messageOf(error));
    }
    if (input.kind === "unreadable") return this.#fail(row, input.error);
    const { turn } = this.#parts.store.justWritten(turnStream(row.turnId));
    return turn && { turnId: row.turnId, epoch: turn.epoch, turn, input, held: inputs.held(row.turnId) };
  }

  #notClaimed(row: QueueRow, reason: ClaimRefusal): undefined {
    if (reason === "lane-busy") throw new Error(`Turn ${row.turnId} was to be claimed while another one runs`);
    if (reason === "stale-generation") this.#record(row, skip({ error: SKIPPED_BY_RESET }, this.#state(row)));
  }

  /** The turn cannot start, through a fault of its own: it ends here, and those behind it run. */
  #fail(row: QueueRow, error: string): undefined {
    this.#record(row, claim({ generation: 0, laneBusy: false, parentId: null }, this.#state(row)));
    const epoch = this.#state(row).turn?.epoch ?? 0;
    this.#record(row, settle({ epoch, outcome: { status: "error", error } }, this.#state(row)));
  }

  #state(row: QueueRow) {
    return this.#parts.store.turn(turnStream(row.turnId));
  }

  /** `false` when the decider refused. */
  #record(row: QueueRow, decision: Decision<string>, alongside?: () => void): boolean {
    if (decision.kind === "refuse") return false;
    const cause = { actor: ENGINE, causationId: `event:${row.ordinal}` };
    this.#parts.dispatcher.record(decision.appends, cause, alongside);
    return true;
  }
}
