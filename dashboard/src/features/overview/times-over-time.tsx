import { LineChart } from '@mantine/charts';
import { Paper, Text, Title } from '@mantine/core';
import { formatDay } from '../../lib/format.ts';
import { minValues } from '../insights/measures/spread-text.ts';
import type { Spread, WindowSummary } from '../insights/wire.ts';

const series = [
  { name: 'first_review', label: 'Time to first review', color: 'var(--postil-accepted)' },
  { name: 'merge', label: 'Time to merge', color: 'var(--postil-not-accepted)' },
];

const hours = ({ count, median }: Spread) =>
  count < minValues || median === null ? null : Math.round(median / 360) / 10;

/** How the times of pull requests develop: the median of each day or week that has enough of them. */
export function TimesOverTime({ insights: { size, trend } }: { insights: WindowSummary }) {
  const rows = trend.map(({ date, first_review, merge }) => ({
    name: formatDay(date, trend[0]!.date),
    first_review: hours(first_review),
    merge: hours(merge),
  }));
  if (rows.filter(({ merge }) => merge !== null).length < 2) return null;
  const title = `Time to first review and to merge by ${size}`;
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2}>{title}</Title>
      <Text size="xs" c="dimmed" mb="md">
        Median in hours; each {size} with fewer than {minValues} pull requests is left out
      </Text>
      <div aria-hidden="true">
        <LineChart
          h={240}
          data={rows}
          dataKey="name"
          series={series}
          connectNulls
          curveType="linear"
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          lineChartProps={{ accessibilityLayer: false }}
          lineProps={{ isAnimationActive: false }}
          xAxisProps={{ minTickGap: 40 }}
          unit=" h"
        />
      </div>
    </Paper>
  );
}
