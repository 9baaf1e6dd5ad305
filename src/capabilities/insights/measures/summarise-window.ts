import type { CallerContext } from '../../../access/caller-context.ts';
import { dateOfDay, dayOfDate } from '../../review-metrics/order/day-spans.ts';
import type { InsightFilter } from '../window/insight-filter.ts';
import { selectWindow } from '../window/select-pull-requests.ts';
import type { InsightDeps } from './insight-deps.ts';
import { measureWindow } from './measure-window.ts';

/** Longer windows are shown by week. */
const maxDays = 62;

/** The window of the same length right before this one. */
export function precedingWindow({ startDate, endDate }: Pick<InsightFilter, 'startDate' | 'endDate'>) {
  const [first, last] = [dayOfDate(startDate), dayOfDate(endDate)];
  return {
    startDate: dateOfDay(Math.max(0, first - (last - first) - 1)),
    endDate: dateOfDay(Math.max(0, first - 1)),
  };
}

/** Measures a window as a whole and day by day or week by week, and the period before it to compare with. */
export function summariseWindow(
  { database, limitMeasuring }: InsightDeps,
  { scope }: Pick<CallerContext, 'scope'>,
  filter: InsightFilter,
) {
  const before = precedingWindow(filter);
  const days = dayOfDate(filter.endDate) - dayOfDate(filter.startDate) + 1;
  const size = days > maxDays ? 'week' : 'day';
  const read = () =>
    database.transaction(
      async (tx) => {
        const window = await selectWindow(tx, scope, filter);
        const previous = await measureWindow(tx, { ...window, filter: { ...filter, ...before } }, null);
        return { ...(await measureWindow(tx, window, size)), previous: previous.total };
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  return limitMeasuring(async () => {
    const { total, previous, groups } = await read();
    const trend = groups
      .map(({ key, ...measures }) => ({ date: dateOfDay(Number(key)), ...measures }))
      .toSorted((one, other) => (one.date < other.date ? -1 : 1));
    return {
      total,
      previous: { start_date: before.startDate, end_date: before.endDate, ...previous },
      size,
      trend,
    } as const;
  });
}
