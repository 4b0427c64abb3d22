import { isKnown, type KnownEvent, PROJECTION_STREAM } from "../events/index.ts";
import type { EventLog } from "../log/index.ts";
import type { ProjectionRebuild } from "../types.ts";
import type { Cause } from "./cause.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Store } from "./store.ts";

/**
 * Make every read model what the log says it is. Nothing follows from it: no model, no hook, no alarm,
 * no notification. A read model that was right is not written to.
 */
export function rebuildProjections(store: Store, dispatcher: Dispatcher, cause: Cause): ProjectionRebuild[] {
  const events = store.log.head().position;
  const ignored = countUnknown(store.log);
  const rebuilt = store.atomically(() => {
    const streams = store.repairStreams();
    const readModels = Object.values(store.projections).map(({ name, version, rebuild }) => ({
      name,
      version,
      events,
      differences: rebuild(knownEvents(store.log)),
    }));
    // Part of the log rather than a read model: only of note when somebody changed it by hand.
    return streams === 0 ? readModels : [...readModels, { name: "streams", version: 1, events, differences: streams }];
  });
  const repaired = rebuilt.filter(({ differences }) => differences > 0);
  const facts = repaired.map((data) => ({ type: "ProjectionRebuilt", data }) as const);
  if (facts.length > 0) {
    dispatcher.record([{ stream: PROJECTION_STREAM, expectedVersion: "any", events: facts }], cause);
  }
  return rebuilt.map((projection) => ({ ...projection, ignored }));
}

function* knownEvents(log: EventLog): Generator<KnownEvent> {
  for (const event of log.all()) if (isKnown(event)) yield event;
}

function countUnknown(log: EventLog): number {
  let count = 0;
  for (const event of log.all()) if (!isKnown(event)) count += 1;
  return count;
}
