import type { LifecycleServices } from "agents/lifecycle";
import type { Clock, LaneAlarm, OutboxAlarm } from "./ports.ts";

export const LANE_JOB = "thinklog-lane";
export const WORKFLOWS_JOB = "thinklog-workflows";
export const OUTBOX_JOB = "thinklog-outbox";

/** How often the alarm comes back while a drain goes on: it keeps the object alive, and wakes it if it dies. */
export const BEAT_MS = 30_000;

/** The wakes of one object. */
export type Alarms = { readonly lane: LaneAlarm; readonly workflows: LaneAlarm; readonly outbox: OutboxAlarm };

type AlarmParts = {
  readonly jobs: LifecycleServices["jobs"];
  readonly storage: DurableObjectStorage;
  readonly clock: Clock;
};

/** The one alarm of the object, shared by all that waits, over the job queue of `agents`. */
export const objectAlarms = (parts: AlarmParts): Alarms => ({
  lane: jobAlarm(parts, LANE_JOB, "drain"),
  workflows: jobAlarm(parts, WORKFLOWS_JOB, "start"),
  outbox: {
    time: () => parts.jobs.get(OUTBOX_JOB)?.time,
    set: async (time) => void (await parts.jobs.push({ id: OUTBOX_JOB, fn: "deliver", time })),
    cancel: async () => void (await parts.jobs.cancel(OUTBOX_JOB)),
    covered: () => (parts.jobs.get(LANE_JOB) ?? parts.jobs.get(OUTBOX_JOB)) !== undefined,
  },
});

function jobAlarm({ jobs, storage, clock }: AlarmParts, id: string, fn: string): LaneAlarm {
  const push = async (when: "soon" | "backstop"): Promise<void> => {
    const now = clock.now();
    // One that an earlier turn left rings sooner: it finds this turn just as well.
    if (when === "backstop" && (jobs.get(id)?.time ?? 0) > now) return;
    await jobs.push({ id, fn, time: when === "soon" ? now : now + BEAT_MS });
  };
  return {
    arm: push,
    ensure: async () => {
      if ((await storage.getAlarm()) === null) await push("soon");
    },
    disarm: async () => {
      await jobs.cancel(id);
    },
  };
}

/**
 * An agent inside of another has no alarm: the platform refuses it one. It is woken by timers while it lives; what is
 * left when it stops is taken up when it is called next.
 */
export function timerAlarms(ring: (id: string) => void, clock: Clock): Alarms {
  const timers = new Map<string, { readonly time: number; readonly timer: ReturnType<typeof setTimeout> }>();
  const cancel = (id: string): void => {
    clearTimeout(timers.get(id)?.timer);
    timers.delete(id);
  };
  const set = (id: string, time: number): void => {
    cancel(id);
    const rings = (): void => {
      timers.delete(id);
      ring(id);
    };
    timers.set(id, { time, timer: setTimeout(rings, Math.max(0, time - clock.now())) });
  };
  const alarm = (id: string): LaneAlarm => ({
    arm: async (when) => {
      if (when === "soon") set(id, clock.now());
    },
    ensure: async () => {
      if (!timers.has(id)) set(id, clock.now());
    },
    disarm: async () => cancel(id),
  });
  return {
    lane: alarm(LANE_JOB),
    workflows: alarm(WORKFLOWS_JOB),
    outbox: {
      time: () => timers.get(OUTBOX_JOB)?.time,
      set: async (time) => set(OUTBOX_JOB, time),
      cancel: async () => cancel(OUTBOX_JOB),
      covered: () => timers.has(LANE_JOB) || timers.has(OUTBOX_JOB),
    },
  };
}
