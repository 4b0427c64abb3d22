import { report } from "./console.ts";
import type { Turn } from "../commands/index.ts";
import { type Effect, isSubmission, react } from "../effects/index.ts";
import type { Append, KnownEvent } from "../events/index.ts";
import type { Cause } from "./cause.ts";
import { type Clock, type Telemetry } from "./ports.ts";
import type { Announcer } from "./announcer.ts";
import { inspectionOf, parseMetadata } from "./inspection.ts";
import type { Store } from "./store.ts";
import type { ThinkSubmissionInspection } from "../types.ts";

/** What the lane does for the executor. */
export type LaneEffects = {
  readonly arm: (when: "soon" | "backstop") => Promise<void>;
  /** The same for workflows that are to be started. */
  readonly armWorkflows: (when: "soon" | "backstop") => Promise<void>;
  readonly abort: (turnId: string, reason: string | undefined) => void;
  /** Called for every turn that ended, with the position of its end in the log; one whose attempt is still winding down is released after it. */
  readonly ended: (turnId: string, position: number) => void;
};

/** What the outbox does for the executor. Both resolve when delivery is certain, not when it is done. */
export type OutboxEffects = {
  readonly deliver: (notificationId: string) => Promise<void>;
  readonly deliverDue: () => Promise<void>;
};

export type Recorded = {
  readonly events: readonly KnownEvent[];
  /** The effects that a caller may wait for: hooks have heard, the alarm is set. */
  readonly effects: Promise<void>;
};

/** Commits what a decider decided, then does what follows from it. */
export class Dispatcher {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #announcer: Announcer;
  #lane: LaneEffects | undefined;
  #outbox: OutboxEffects | undefined;
  #catchUp: () => void = () => {};

  constructor(store: Store, clock: Clock, telemetry: Telemetry, announcer: Announcer) {
    this.#store = store;
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#announcer = announcer;
  }

  /**
   * The lane and the outbox need the dispatcher, and it needs them; they come second.
   *
   * @param catchUp - Tells the status hook what it missed in an earlier life: that comes before anything new.
   */
  connect(lane: LaneEffects, outbox: OutboxEffects, catchUp: () => void): void {
    this.#lane = lane;
    this.#outbox = outbox;
    this.#catchUp = catchUp;
  }

  /**
   * @param alongside - Further synchronous writes of the same commit.
   * @param committed - Called after it, before anything follows from it.
   */
  record(appends: readonly Append[], cause: Cause, alongside?: () => void, committed?: () => void): Recorded {
    if (appends.length === 0) return { events: [], effects: Promise.resolve() };
    const events = this.#store.commit(appends, { at: this.#clock.now(), ...cause }, alongside);
    committed?.();
    const effects = events.flatMap((event) => react(event, this.#store.justWritten(event.stream).turn));
    const done = this.run(effects);
    done.catch((error: unknown) => report("An effect failed; the next wake repairs it", error));
    return { events, effects: done };
  }

  /** Do what effects say. The synchronous part of each is done when this returns. */
  async run(effects: readonly Effect[]): Promise<void> {
    await Promise.all(effects.map((effect) => this.#execute(effect)));
  }

  /** A submission as it is now, from the fold of its stream. */
  inspect(turn: Turn): ThinkSubmissionInspection {
    const { metadata } = turn.submitted;
    return inspectionOf(turn, parseMetadata(metadata === undefined ? undefined : this.#store.payloads.get(metadata)));
  }

  async #execute(effect: Effect): Promise<void> {
    switch (effect.kind) {
      case "arm-lane":
        return this.#lane?.arm(effect.when);
      case "arm-workflows":
        return this.#lane?.armWorkflows(effect.when);
      case "abort-turn":
        return this.#lane?.abort(effect.turnId, effect.reason);
      case "release-caller":
        return this.#lane?.ended(effect.turnId, effect.position);
      case "deliver":
        return this.#outbox?.deliver(effect.notificationId);
      case "deliver-due":
        return this.#outbox?.deliverDue();
      case "report":
        return report(effect.fault);
      case "emit":
        return this.#telemetry.emit(effect.type, effect.payload);
      case "announce":
        return this.#announce(effect);
      default:
        return effect satisfies never;
    }
  }

  #announce({ stream, position }: Extract<Effect, { kind: "announce" }>): Promise<void> {
    const { turn } = this.#store.justWritten(stream);
    if (!turn || !isSubmission(turn)) return Promise.resolve();
    this.#catchUp();
    return this.#announcer.announce({ position, submission: this.inspect(turn) });
  }
}
