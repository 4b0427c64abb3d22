import type { LifecycleServices } from "agents/lifecycle";
import type { Agent } from "agents";
import { report } from "../engine/console.ts";
import type { StoredTask } from "./stored-task.ts";

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

/** What an agent inside of another has instead of an alarm: schedules that the outermost agent keeps for it. */
export type RoutedSchedules = Pick<Agent, "schedule" | "listSchedules" | "cancelSchedule">;

const CALLBACK = "_runDeclaredScheduledTask";

/**
 * The alarm of an agent inside of another: the platform refuses it one of its own. Set in the background, for the
 * outermost agent may be the one that waits for this one's start.
 */
export function routedAlarm(agent: RoutedSchedules): ScheduleAlarm {
  let wanted: number | undefined;
  let moving = Promise.resolve();
  const move = (): void => {
    moving = moving
      .then(() => moveTo(agent, wanted))
      .catch((error: unknown) => report("The alarm of tasks could not be set", error));
  };
  return {
    time: () => wanted,
    set: async (time) => {
      wanted = time;
      move();
    },
    cancel: async () => {
      wanted = undefined;
      move();
    },
    ensure: async () => move(),
  };
}

/** One schedule at this time, and no other: also when an earlier life set one. */
async function moveTo(agent: RoutedSchedules, time: number | undefined): Promise<void> {
  const set = (await agent.listSchedules()).filter(({ callback }) => callback === CALLBACK);
  const isRight = ({ payload }: (typeof set)[number]): boolean => (payload as StoredTask).scheduledFor === time;
  for (const wrong of set.filter((one) => !isRight(one))) await agent.cancelSchedule(wrong.id);
  if (time === undefined || set.some(isRight)) return;
  const payload: StoredTask = { taskId: "*", scheduleHash: "*", scheduledFor: time };
  // Schedules of agents count in seconds, rounded down: a moment late is better than a moment early.
  await agent.schedule(new Date(Math.ceil(time / 1000) * 1000), CALLBACK as never, payload);
}
