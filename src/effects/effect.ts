/** What is to be done about an event, as data. An executor does it, once the event is committed. */
export type Effect =
  /** Have the lane woken: `soon`, or as a `backstop` for a drain that this object begins by itself. */
  | { readonly kind: "arm-lane"; readonly when: "soon" | "backstop" }
  /** The same for workflows that are to be started. */
  | { readonly kind: "arm-workflows"; readonly when: "soon" | "backstop" }
  /** Tell the status hook, and whoever waits, of a submission's new status. */
  | { readonly kind: "announce"; readonly stream: string; readonly position: number }
  /** Stop the attempt that runs this turn. */
  | { readonly kind: "abort-turn"; readonly turnId: string; readonly reason: string | undefined }
  /** A turn ended: the caller who waits for it, if any, may go on. */
  | { readonly kind: "release-caller"; readonly turnId: string; readonly position: number }
  /** Send a notification to the workflow that waits for it. */
  | { readonly kind: "deliver"; readonly notificationId: string }
  /** Send all notifications that are due. */
  | { readonly kind: "deliver-due" }
  /** A notification was given up: whoever looks after the agent should know. */
  | { readonly kind: "report"; readonly fault: string }
  /** Publish to the observability channel. */
  | { readonly kind: "emit"; readonly type: string; readonly payload: Readonly<Record<string, unknown>> };
