import type { EventData } from "../events/index.ts";
import { type Decision, record, refuse } from "./decision.ts";

/** A notification that somebody wants to go out after all. */
export type ReplayState = {
  readonly stream: string;
  readonly version: number;
  /** Its entry among those that were given up. */
  readonly parked: EventData<"NotificationParked"> | undefined;
};

/** Put a notification that was given up back into the outbox: it is tried from the first try on. */
export function replayNotification({ stream, version, parked }: ReplayState): Decision<"not-parked"> {
  if (!parked) return refuse("not-parked");
  const { attempts: _, reason: __, ...data } = parked;
  return record({ stream, expectedVersion: version, events: [{ type: "NotificationQueued", data }] });
}
