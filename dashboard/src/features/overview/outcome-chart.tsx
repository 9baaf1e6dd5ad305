import { BarChart, type BarChartProps } from '@mantine/charts';
import { Paper, Title } from '@mantine/core';
import type { Outcomes } from './acceptance.ts';
import { OutcomeTable } from './outcome-table.tsx';

/** The outcomes, in colors that people with red-green color blindness can tell apart. */
const series = [
  { name: 'accepted', label: 'Accepted', color: 'indigo.6' },
  { name: 'not_accepted', label: 'Not accepted', color: 'orange.6' },
  { name: 'unknown', label: 'Unknown', color: 'gray.5' },
];

/** Bars split by the outcome of the comments; the same numbers are available as a table. */
export function OutcomeChart({
  title,
  rows,
  barChartProps,
  ...chart
}: Omit<BarChartProps, 'data' | 'dataKey' | 'series' | 'type' | 'title'> & {
  title: string;
  rows: readonly (Outcomes & { name: string })[];
}) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="md">
        {title}
      </Title>
      <div aria-hidden="true">
        <BarChart
          data={[...rows]}
          dataKey="name"
          type="stacked"
          series={series}
          barProps={{ isAnimationActive: false }}
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          {...chart}
          barChartProps={{ accessibilityLayer: false, ...barChartProps }}
        />
      </div>
      <OutcomeTable title={title} rows={rows} />
    </Paper>
  );
}
