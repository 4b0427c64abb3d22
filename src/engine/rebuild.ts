import { isKnown, type KnownEvent, PROJECTION_STREAM } from "../events/index.ts";
import type { EventLog } from "../log/index.ts";
import type { ProjectionRebuild } from "../types.ts";
import type { Cause } from "./cause.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Store } from "./store.ts";

const CHUNK = 500;

/**
 * Make every read model what the log says it is. Nothing follows from it: no model, no hook, no alarm,
 * no notification. A read model that was right is not written to.
 */
export function rebuildProjections(store: Store, dispatcher: Dispatcher, cause: Cause): ProjectionRebuild[] {
  const events = store.log.head().position;
  const rebuilt = store.atomically(() =>
    Object.values(store.projections).map(({ name, version, rebuild }) => ({
      name,
      version,
      events,
      differences: rebuild(wholeLog(store.log)),
    })),
  );
  const repaired = rebuilt.filter(({ differences }) => differences > 0);
  const facts = repaired.map((data) => ({ type: "ProjectionRebuilt", data }) as const);
  if (facts.length > 0) {
    dispatcher.record([{ stream: PROJECTION_STREAM, expectedVersion: "any", events: facts }], cause);
  }
  return rebuilt;
}

/** Read by cursor: a log may be larger than memory. */
function* wholeLog(log: EventLog): Generator<KnownEvent> {
  for (let position = 0; ;) {
    const events = log.after(position, CHUNK);
    for (const event of events) if (isKnown(event)) yield event;
    const last = events.at(-1);
    if (!last) return;
    position = last.position;
  }
}
