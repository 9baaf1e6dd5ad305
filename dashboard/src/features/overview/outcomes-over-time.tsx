import { formatDate } from '../../lib/format.ts';
import { type Bucket, bucketsOf } from './buckets.ts';
import { OutcomeChart } from './outcome-chart.tsx';

/** Comments by the day or week in which their pull request was merged. */
export function OutcomesOverTime({ days, from, to }: { days: readonly Bucket[]; from: string; to: string }) {
  const { size, buckets } = bucketsOf(days, from, to);
  const rows = buckets.map(({ date, ...outcomes }) => ({ name: formatDate(date), ...outcomes }));
  return (
    <OutcomeChart
      title={`Comments by ${size}`}
      rows={rows}
      h={260}
      xAxisProps={{ minTickGap: 40 }}
      yAxisProps={{ allowDecimals: false }}
      // Room for half of the last date, which is centered under its bar.
      barChartProps={{ margin: { right: 40 } }}
    />
  );
}
