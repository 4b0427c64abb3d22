import { ThinkInputError } from "../errors.ts";

/** What is wrong with a schedule, by the words applications know. */
const MESSAGES = {
  "singular-unit": (raw: string) => `Use singular unit for "${raw}"`,
  "plural-unit": (raw: string) => `Use plural unit for "${raw}"`,
  "interval-too-long": (raw: string) => `Interval of "${raw}" is too long`,
  "timezone-on-interval": () => "Interval schedules cannot specify a timezone",
  "no-timezone": (raw: string) => `Wall-clock schedule "${raw}" requires a timezone or getDefaultTimezone()`,
  "invalid-timezone": (zone: string) => `Invalid timezone "${zone}"`,
  "timezone-mismatch": (inline: string, task: string) =>
    `Schedule timezone "${inline}" does not match task timezone "${task}"`,
  "invalid-time": (time: string) => `Invalid schedule time "${time}"; expected HH:mm`,
  "invalid-day": (day: string) => `Invalid schedule day "${day}"`,
  "duplicate-day": (day: string) => `Duplicate schedule day "${day}"`,
  "unsupported-schedule": (raw: string) => `Unsupported schedule DSL "${raw}"`,
};

type Messages = typeof MESSAGES;

export type ScheduleField = "schedule" | "timezone" | "getDefaultTimezone()";

export const scheduleFault = <Code extends keyof Messages>(
  code: Code,
  words: Parameters<Messages[Code]>,
  field: ScheduleField = "schedule",
): ThinkInputError => {
  const message = MESSAGES[code] as (...words: string[]) => string;
  return new ThinkInputError(code, field, message(...words));
};
