import { useNavigate } from '@tanstack/react-router';
import { formatDay } from '../../lib/format.ts';
import { useView } from '../../lib/session.ts';
import type { InsightFilters } from '../insights/filters/insight-filters.ts';
import { InsightLink } from '../insights/insight-link.tsx';
import { type Bucket, bucketsOf } from './buckets.ts';
import { OutcomeChart } from './outcome-chart.tsx';

const dayMs = 86_400_000;

/** Comments by the day or week in which their pull request was merged; each bar links to its comments. */
export function OutcomesOverTime({
  days,
  from,
  to,
  filters,
}: {
  days: readonly Bucket[];
  from: string;
  to: string;
  filters: InsightFilters;
}) {
  const view = useView();
  const navigate = useNavigate();
  const { size, buckets } = bucketsOf(days, from, to);
  const lastOf = (date: string) =>
    size === 'day' ? date : new Date(Date.parse(date) + 6 * dayMs).toISOString().slice(0, 10);
  const windowOf = (date: string) => ({
    from: date < from ? from : date,
    to: lastOf(date) > to ? to : lastOf(date),
  });
  const rows = buckets.map(({ date, ...outcomes }) => ({ date, name: formatDay(date, from), ...outcomes }));
  return (
    <OutcomeChart
      title={`Comments by ${size}`}
      rows={rows}
      h={260}
      xAxisProps={{ minTickGap: 40 }}
      yAxisProps={{ allowDecimals: false }}
      // Room for half of the last date, which is centered under its bar.
      barChartProps={{ margin: { right: 40 } }}
      nameOf={({ date, name }) => (
        <InsightLink page="comments" filters={{ ...filters, ...windowOf(date) }}>
          {name}
        </InsightLink>
      )}
      onChoose={({ date }) =>
        void navigate({
          to: `/${view.kind}s/${view.id}/comments` as never,
          search: { ...filters, ...windowOf(date) } as never,
        })
      }
    />
  );
}
