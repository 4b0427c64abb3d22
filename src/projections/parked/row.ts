import type { EventData } from "../../events/index.ts";

/** One notification that was given up, as the event says it. It can be replayed. */
export type ParkedRow = EventData<"NotificationParked">;
