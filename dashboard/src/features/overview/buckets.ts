import type { Outcomes } from '../insights/measures/acceptance.ts';

const dayMs = 86_400_000;
/** Longer windows are shown by week, as the server measures them. */
const maxDays = 62;

export type Bucket = Outcomes & { readonly date: string };

/** Every day of the window, or every week of a long one, including those without comments; weeks start on Monday. */
export function bucketsOf(
  days: readonly Bucket[],
  from: string,
  to: string,
): { size: 'day' | 'week'; buckets: Bucket[] } {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const size = (last - first) / dayMs + 1 > maxDays ? 'week' : 'day';
  const startOf = (time: number) =>
    size === 'day' ? time : time - ((new Date(time).getUTCDay() + 6) % 7) * dayMs;
  const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  const buckets = new Map<string, Bucket>();
  for (let time = startOf(first); time <= last; time += size === 'day' ? dayMs : 7 * dayMs)
    buckets.set(dateOf(time), { date: dateOf(time), posted: 0, accepted: 0, not_accepted: 0, unknown: 0 });
  for (const day of days) {
    const date = dateOf(startOf(Date.parse(day.date)));
    const sum = buckets.get(date);
    if (sum === undefined) continue;
    buckets.set(date, {
      date,
      posted: sum.posted + day.posted,
      accepted: sum.accepted + day.accepted,
      not_accepted: sum.not_accepted + day.not_accepted,
      unknown: sum.unknown + day.unknown,
    });
  }
  return { size, buckets: [...buckets.values()] };
}
