/** Monday is 1, Sunday is 7, as ISO 8601 and Temporal count. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export type IntervalSchedule = {
  readonly kind: "interval";
  readonly everyMs: number;
  /** As it was understood: trimmed, single spaces, lower case. */
  readonly text: string;
};

export type WallClockSchedule = {
  readonly kind: "wall-clock";
  /** In the order of the week, each once. */
  readonly weekdays: readonly Weekday[];
  readonly hour: number;
  readonly minute: number;
  readonly timeZone: string;
  readonly text: string;
};

/** A schedule that was understood, with the zone that its clock hangs in. */
export type Schedule = IntervalSchedule | WallClockSchedule;
