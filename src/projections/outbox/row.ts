import type { EventData } from "../../events/index.ts";

/** One notification that is to be delivered to a workflow. Delivered or parked, it is no row any more. */
export type OutboxRow = EventData<"NotificationQueued"> & {
  /** Deliveries tried. */
  attempts: number;
  /** Epoch milliseconds of the next try. */
  dueAt: number;
  /** Epoch milliseconds of the first failure. */
  failingSince: number | null;
  error: string | null;
};
