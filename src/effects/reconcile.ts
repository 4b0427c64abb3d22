import type { Effect } from "./effect.ts";

/** What a wake needs to know of the read model. */
export type WakeView = {
  /** Is there a turn that has not ended? */
  readonly laneOccupied: boolean;
  /** May the status hook or the response hook have missed an event? */
  readonly hookBehind: boolean;
  /** Is there a workflow that was asked for, but not started? */
  readonly workflowsOpen: boolean;
  /** Is there a notification to deliver, now or later? */
  readonly outboxOccupied: boolean;
};

/**
 * What a wake has to do: the same effects as in ordinary life, through the same executor. This is the
 * recovery; there is no second path. A turn found running is dealt with when the lane wakes.
 */
export const reconcile = (view: WakeView): readonly Effect[] => [
  ...(view.laneOccupied || view.hookBehind ? [{ kind: "arm-lane", when: "soon" } as const] : []),
  ...(view.workflowsOpen ? [{ kind: "arm-workflows", when: "soon" } as const] : []),
  ...(view.outboxOccupied ? [{ kind: "deliver-due" } as const] : []),
];
