import type { Turn } from "../commands/index.ts";
import { isKnown, LANE_STREAM } from "../events/index.ts";
import type { Store } from "./store.ts";

/**
 * Was it a reset that ended this turn? Then nothing of it is kept or told.
 *
 * @param position - Where the turn's end is in the log. A reset ends all that the lane holds, in its own commit.
 */
export function endedByReset(store: Store, turn: Turn, position: number): boolean {
  const { generation } = turn.submitted;
  if (generation === store.lane().generation) return false;
  return store.log
    .readStream(LANE_STREAM)
    .filter(isKnown)
    .some((event) => event.type === "LaneReset" && event.data.generation > generation && event.position < position);
}
