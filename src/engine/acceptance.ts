import { noTurn, submit, type TurnState } from "../commands/index.ts";
import { isSubmission } from "../effects/index.ts";
import { type Append, type EventData, turnStream } from "../events/index.ts";
import { PayloadMismatchError, SubmissionConflictError } from "../errors.ts";
import { sameMessages } from "../input/same-messages.ts";
import type { SubmissionInput } from "../input/submission.ts";
import type { PreparedPayload } from "../log/index.ts";
import type { SubmissionQueries } from "../queries/index.ts";
import type { SubmitMessagesResult, ThinkSubmissionInspection } from "../types.ts";
import type { Cause } from "./cause.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { heard } from "./heard.ts";
import type { Lane } from "./lane/lane.ts";
import type { Clock, Ids } from "./ports.ts";
import { inSubmissionSpan } from "./spans.ts";
import type { Store } from "./store.ts";

type AcceptanceParts = {
  readonly store: Store;
  readonly queries: SubmissionQueries;
  readonly dispatcher: Dispatcher;
  readonly lane: Lane;
  readonly clock: Clock;
  readonly ids: Ids;
};

/** What is to be recorded of a submission, and the content that goes with it. */
type Proposal = {
  readonly turn: EventData<"TurnSubmitted">;
  readonly payload: PreparedPayload;
  readonly metadata: PreparedPayload | undefined;
};

/** What is stored under a submission's id and key. */
type Found = { readonly byId: TurnState; readonly byKey: TurnState | undefined };

type Also = (submissionId: string) => readonly Append[];

/** Durable acceptance, idempotent by id and by key. */
export class Acceptance {
  readonly #parts: AcceptanceParts;

  constructor(parts: AcceptanceParts) {
    this.#parts = parts;
  }

  /**
   * Accept a submission, or find the one that its id or key already names.
   *
   * @param strict - Refuse a known key that comes with other messages.
   * @param also - What else is to be on record in the same commit, of the submission with this id. What it throws
   * leaves nothing written.
   * @throws {SubmissionConflictError} when id and key name different submissions, or the id names a turn of another kind.
   * @throws {PayloadMismatchError} when `strict` and the known submission has other messages.
   */
  accept(input: SubmissionInput, cause: Cause, strict: boolean, also?: Also): Promise<SubmitMessagesResult> {
    return inSubmissionSpan("accept_chat_submission", () => this.#accept(input, cause, strict, also));
  }

  async #accept(input: SubmissionInput, cause: Cause, strict: boolean, also?: Also): Promise<SubmitMessagesResult> {
    const { dispatcher, clock } = this.#parts;
    const turnId = input.submissionId ?? this.#parts.ids.uuid();
    const found = this.#find(turnId, input);
    const proposal = this.#propose(turnId, input);
    const comparison = this.#comparison(input);
    const command = { turn: proposal.turn, idGiven: input.submissionId !== undefined, strict, now: clock.now() };
    const decision = submit(command, {
      byId: found.byId,
      ...(found.byKey && { byKey: found.byKey }),
      samePayload: comparison.isSame,
    });
    if (decision.kind === "refuse") {
      throw decision.reason === "conflict" ? new SubmissionConflictError() : new PayloadMismatchError();
    }
    const isNew = decision.appends.some(({ events }) => events.some(({ type }) => type === "TurnSubmitted"));
    const more = also?.(isNew ? turnId : idOf(found)) ?? [];
    const recorded = dispatcher.record([...decision.appends, ...more], cause, () => {
      if (isNew) writeContent(proposal);
      this.#eraseExpired(decision.appends, found);
    });
    if (!isNew) {
      await heard(recorded);
      const first = await this.#known(found);
      return { ...first, accepted: false, ...(comparison.differs() && { payloadMismatch: true }) };
    }
    const receipt = this.#inspection(this.#parts.store.justWritten(turnStream(turnId)));
    await heard(recorded);
    return { ...receipt, accepted: true };
  }

  #find(turnId: string, { submissionId, idempotencyKey }: SubmissionInput): Found {
    const stream = turnStream(turnId);
    // A fresh id cannot be known.
    const byId = submissionId === undefined ? noTurn(stream) : this.#parts.store.turn(stream);
    const byKey = idempotencyKey === undefined ? undefined : this.#byKey(idempotencyKey);
    // Only an id can be that of a blocking turn: such a turn has no key.
    if (byId.turn && !isSubmission(byId.turn)) throw new SubmissionConflictError("submissionId");
    return { byId, byKey };
  }

  #byKey(key: string): TurnState | undefined {
    const { queries, store } = this.#parts;
    const submissionId = queries.idByKey(key);
    if (submissionId !== undefined) return store.turn(turnStream(submissionId));
    const tombstone = store.projections.tombstones.load(key);
    return tombstone && store.turn(tombstone.stream);
  }

  #propose(turnId: string, input: SubmissionInput): Proposal {
    const { store, ids } = this.#parts;
    const payload = store.payloads.prepare(input.messages, ids.salt());
    const metadata = input.metadata === undefined ? undefined : store.payloads.prepare(input.metadata, ids.salt());
    const turn: EventData<"TurnSubmitted"> = {
      turnId,
      trigger: input.trigger ?? "submission",
      generation: store.lane().generation,
      payload: payload.digest,
      messageIds: [...input.messageIds],
      ...(input.idempotencyKey !== undefined && { idempotencyKey: input.idempotencyKey }),
      ...(metadata && { metadata: metadata.digest }),
      ...(input.channel !== undefined && { channel: input.channel }),
      ...(input.origin && { origin: input.origin }),
    };
    return { turn, payload, metadata };
  }

  /** Compares the messages with those of the stored match, when the decider asks for it. */
  #comparison(input: SubmissionInput) {
    let same = true;
    return {
      isSame: (stored: string | undefined): boolean => {
        const first = stored === undefined ? undefined : this.#parts.store.payloads.get(stored);
        // Nobody can tell what was erased: the retry is taken for one.
        same = first === undefined || sameMessages(first, input.messages);
        return same;
      },
      differs: (): boolean => !same,
    };
  }

  /** A tombstone's content was kept to compare retries with. Its time is over with the commit that says so. */
  #eraseExpired(appends: readonly Append[], { byId, byKey }: Found): void {
    for (const { stream, events } of appends) {
      if (!events.some(({ type }) => type === "TombstoneExpired")) continue;
      const payload = [byId, byKey].find((state) => state?.stream === stream)?.tombstone?.payload;
      if (payload !== undefined) this.#parts.store.payloads.remove(payload);
    }
  }

  /** The receipt for a retry: the first submission as it is now, or as it was when it was deleted. */
  async #known({ byId, byKey }: Found): Promise<ThinkSubmissionInspection> {
    const { stream } = byId.turn ? byId : (byKey ?? byId);
    const { turn, tombstone } = this.#parts.store.turn(stream);
    if (turn) {
      if (turn.status === "pending") await this.#parts.lane.ensureArmed();
      return this.#inspection(this.#parts.store.turn(stream));
    }
    if (!tombstone) throw new Error(`Stream ${stream} holds neither a turn nor a tombstone`);
    const { submissionId, idempotencyKey, status, createdAt, completedAt } = tombstone;
    return { submissionId, idempotencyKey, requestId: submissionId, status, createdAt, completedAt };
  }

  #inspection({ stream, turn }: TurnState): ThinkSubmissionInspection {
    if (!turn) throw new Error(`Stream ${stream} holds no turn`);
    return this.#parts.dispatcher.inspect(turn);
  }
}

/** The submission that was there before. */
function idOf({ byId, byKey }: Found): string {
  const { stream, turn, tombstone } = byId.turn ? byId : (byKey ?? byId);
  const id = turn?.submitted.turnId ?? tombstone?.submissionId;
  if (id === undefined) throw new Error(`Stream ${stream} holds neither a turn nor a tombstone`);
  return id;
}

function writeContent({ payload, metadata }: Proposal): void {
  payload.write();
  metadata?.write();
}
