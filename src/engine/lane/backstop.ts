import { report } from "../console.ts";
import type { LaneAlarm } from "../ports.ts";

/** How long the alarm of a lane at rest stays: a series of blocking turns sets it once and takes it down once. */
const LINGER_MS = 1_000;

export type BackstopParts = {
  readonly alarm: Pick<LaneAlarm, "disarm">;
  /** Notifications on their way to workflows: an alarm that is set for a drain is there for them too. */
  readonly deliveries: { readonly busy: boolean; readonly idle: () => Promise<void> };
  /** Does the lane need its alarm? Then it comes back when it does not any more. */
  readonly isNeeded: () => boolean;
};

/** The alarm that is set for the case that this object stops. Nobody takes it down but this, some time after the work. */
export class Backstop {
  readonly #parts: BackstopParts;
  #isSet = false;
  #lingering: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: BackstopParts) {
    this.#parts = parts;
  }

  /** `false`: the alarm that is set rings soon, and takes itself down, or it has just rung. */
  set(isSet: boolean): void {
    this.#isSet = isSet;
  }

  /** The work is done: take the alarm down, if nothing needs it by then. */
  disarmLater(): void {
    if (!this.#isSet || this.#lingering !== undefined) return;
    this.#lingering = setTimeout(() => {
      this.#lingering = undefined;
      this.#disarm();
    }, LINGER_MS);
  }

  #disarm(): void {
    const { alarm, deliveries, isNeeded } = this.#parts;
    if (!this.#isSet || isNeeded()) return;
    if (deliveries.busy) {
      void deliveries.idle().then(() => this.disarmLater());
      return;
    }
    this.#isSet = false;
    alarm.disarm().catch((error: unknown) => report("An alarm could not be taken down", error));
  }
}
