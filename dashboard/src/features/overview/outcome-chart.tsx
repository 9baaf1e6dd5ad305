import { BarChart, type BarChartProps } from '@mantine/charts';
import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Outcomes } from './acceptance.ts';
import { OutcomeTable } from './outcome-table.tsx';

/** The outcomes, in colors that people with red-green color blindness can tell apart. */
const series = [
  { name: 'accepted', label: 'Accepted', color: 'indigo.6' },
  { name: 'not_accepted', label: 'Not accepted', color: 'orange.6' },
  { name: 'unknown', label: 'Unknown', color: 'gray.5' },
];

/** Bars split by the outcome of the comments; the same numbers are available as a table. */
export function OutcomeChart<Row extends Outcomes & { name: string }>({
  title,
  rows,
  barChartProps,
  nameOf,
  onChoose,
  ...chart
}: Omit<BarChartProps, 'data' | 'dataKey' | 'series' | 'type' | 'title'> & {
  title: string;
  rows: readonly Row[];
  nameOf: (row: Row) => ReactNode;
  /** A bar was clicked; the table has links for everybody else. */
  onChoose: (row: Row) => void;
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
          barProps={{
            isAnimationActive: false,
            cursor: 'pointer',
            onClick: ({ payload }) => onChoose(payload as Row),
          }}
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          {...chart}
          barChartProps={{ accessibilityLayer: false, ...barChartProps }}
        />
      </div>
      <OutcomeTable title={title} rows={rows} nameOf={nameOf} />
    </Paper>
  );
}
