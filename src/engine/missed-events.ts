import { evolve, noTurn, type Turn } from "../commands/index.ts";
import { isKnown, type KnownEvent } from "../events/index.ts";
import type { Follower } from "./follower.ts";
import type { Store } from "./store.ts";

const CHUNK = 200;

/** An event that a hook may have missed, with its turn as it was then. */
export type Missed = { readonly event: KnownEvent; readonly turn: Turn };

/** Made at the start: what a hook may not have heard before the object stopped, read when it is asked for. */
export function missedEvents(store: Store, follower: Follower): () => Generator<Missed> {
  const range = follower.missed();
  return function* () {
    if (!range) return;
    let position = range.after;
    while (position < range.until) {
      const events = store.log.after(position, Math.min(CHUNK, range.until - position));
      for (const event of events.filter(isKnown)) {
        const turn = turnAsOf(event, store);
        if (turn) yield { event, turn };
      }
      position = events.at(-1)?.position ?? range.until;
    }
  };
}

/** The turn as it was after this event; absent when it has been deleted since, and nobody asks any more. */
function turnAsOf(event: KnownEvent, store: Store): Turn | undefined {
  if (!store.turn(event.stream).turn) return undefined;
  return store.log
    .readStream(event.stream)
    .filter(isKnown)
    .filter(({ position }) => position <= event.position)
    .reduce(evolve, noTurn(event.stream)).turn;
}
