/** The weekly time of a digest, in UTC like the days of metrics. */
export interface WeeklyTime {
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
}

/** Seven whole days, both included. */
export interface Period {
  readonly startDate: string;
  readonly endDate: string;
}

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The last time at or before now at which a weekly digest was due. */
export function lastDue({ weekday, hour }: WeeklyTime, now: Date): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour);
  const daysSince = (now.getUTCDay() - weekday + 7) % 7;
  const due = today - daysSince * dayMs;
  return new Date(due <= now.getTime() ? due : due - weekMs);
}

/** The next time after now. */
export function nextDue(time: WeeklyTime, now: Date): Date {
  return new Date(lastDue(time, now).getTime() + weekMs);
}

/** The seven days before the day of a given time. */
export function periodBefore(due: Date): Period {
  return { startDate: dateOf(due.getTime() - weekMs), endDate: dateOf(due.getTime() - dayMs) };
}

/** The seven days that end with this one. */
export function periodUntil(endDate: string): Period {
  return periodBefore(new Date(Date.parse(`${endDate}T00:00:00Z`) + dayMs));
}
