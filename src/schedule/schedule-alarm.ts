import type { LifecycleServices } from "agents/lifecycle";
import type { Clock } from "../engine/ports.ts";

/** The alarm, as far as tasks are concerned. */
export type ScheduleAlarm = {
  readonly time: () => number | undefined;
  readonly set: (time: number) => Promise<void>;
  readonly cancel: () => Promise<void>;
  /** Set it again if the platform lost it. */
  readonly ensure: () => Promise<void>;
};

export const SCHEDULE_JOB = "thinklog-schedule";

export const jobAlarm = (jobs: LifecycleServices["jobs"], storage: DurableObjectStorage): ScheduleAlarm => ({
  time: () => jobs.get(SCHEDULE_JOB)?.time,
  set: async (time) => void (await jobs.push({ id: SCHEDULE_JOB, fn: "fire", time })),
  cancel: async () => void (await jobs.cancel(SCHEDULE_JOB)),
  ensure: async () => {
    if ((await storage.getAlarm()) === null) await jobs.rearm();
  },
});

/** What a timer can wait; one that is asked for more rings at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** For an agent inside of another, which has no alarm: it is woken by a timer while it lives. */
export function timerAlarm(ring: () => void, clock: Clock): ScheduleAlarm {
  let armed: { readonly time: number; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  const cancel = (): void => {
    clearTimeout(armed?.timer);
    armed = undefined;
  };
  return {
    time: () => armed?.time,
    set: async (time) => {
      cancel();
      const rings = (): void => {
        armed = undefined;
        ring();
      };
      const wait = Math.min(Math.max(0, time - clock.now()), MAX_TIMER_MS);
      armed = { time, timer: setTimeout(rings, wait) };
    },
    cancel: async () => cancel(),
    ensure: async () => {},
  };
}
