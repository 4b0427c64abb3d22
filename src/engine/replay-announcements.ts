import { evolve, noTurn, type Turn } from "../commands/index.ts";
import { react } from "../effects/index.ts";
import { isKnown, type KnownEvent } from "../events/index.ts";
import type { Announcer } from "./announcer.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Store } from "./store.ts";

const CHUNK = 200;

/**
 * Made at the start: a function that tells the status hook, at its first call, what it may not have heard
 * before the object stopped, each change as it was then. What happens from now on is announced as it comes.
 */
export function announcementReplay(store: Store, announcer: Announcer, dispatcher: Dispatcher): () => void {
  if (!announcer.isBehind()) return () => {};
  let position = announcer.resumeFrom;
  const until = announcer.heard();
  return () => {
    while (position < until) {
      const events = store.log.after(position, Math.min(CHUNK, until - position));
      for (const event of events.filter(isKnown)) replay(event, store, announcer, dispatcher);
      position = events.at(-1)?.position ?? until;
    }
  };
}

function replay(event: KnownEvent, store: Store, announcer: Announcer, dispatcher: Dispatcher): void {
  const turn = turnAsOf(event, store);
  if (!turn || !react(event, turn).some((effect) => effect.kind === "announce")) return;
  void announcer.announce({ position: event.position, submission: dispatcher.inspect(turn) });
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
