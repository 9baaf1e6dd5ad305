import { BarChart } from '@mantine/charts';
import { Paper, Title } from '@mantine/core';
import { formatDate } from '../../lib/format.ts';
import { type Bucket, bucketsOf } from './buckets.ts';
import { outcomeSeries } from './colours.ts';
import { OutcomeTable } from './outcome-table.tsx';

/** Comments by the day or week in which their pull request was merged. */
export function OutcomesOverTime({ days, from, to }: { days: readonly Bucket[]; from: string; to: string }) {
  const { size, buckets } = bucketsOf(days, from, to);
  const title = `Comments by ${size}`;
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="md">
        {title}
      </Title>
      <div aria-hidden="true">
        <BarChart
          h={260}
          data={buckets.map((bucket) => ({ ...bucket, date: formatDate(bucket.date) }))}
          dataKey="date"
          type="stacked"
          series={outcomeSeries}
          barChartProps={{ accessibilityLayer: false }}
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          barProps={{ isAnimationActive: false }}
          xAxisProps={{ minTickGap: 40 }}
        />
      </div>
      <OutcomeTable
        title={title}
        rows={buckets.map(({ date, ...sums }) => ({ name: formatDate(date), ...sums }))}
      />
    </Paper>
  );
}
