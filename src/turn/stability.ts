/** What stability is about. */
type StabilityPorts = {
  /** Does any turn wait or run? */
  readonly laneOccupied: () => boolean;
  readonly pendingInteraction: () => boolean;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
};

const TURN_POLL_MS = 5;
const INTERACTION_POLL_MS = 100;

/**
 * Wait until no turn waits or runs and nobody is asked for anything.
 *
 * @param timeout - Milliseconds; without one it waits for as long as it takes. 0 looks once.
 * @returns `false` when the time is over first.
 */
export async function waitUntilStable(ports: StabilityPorts, timeout: number | undefined): Promise<boolean> {
  const deadline = timeout === undefined ? Number.POSITIVE_INFINITY : ports.now() + timeout;
  for (;;) {
    const occupied = ports.laneOccupied();
    if (!occupied && !ports.pendingInteraction()) return true;
    const left = deadline - ports.now();
    if (left <= 0) return false;
    await ports.wait(Math.min(left, occupied ? TURN_POLL_MS : INTERACTION_POLL_MS));
  }
}
