import { BarChart, type BarChartProps } from '@mantine/charts';
import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Outcomes } from '../insights/measures/acceptance.ts';
import { outcomes } from '../insights/measures/outcomes.ts';
import { OutcomeTable } from './outcome-table.tsx';

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
  /** Called when a bar is clicked; the table has links for people who use no mouse. */
  onChoose: (row: Row) => void;
}) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} mb="md">
        {title}
      </Title>
      <div aria-hidden="true">
        <BarChart
          data={[...rows]}
          dataKey="name"
          type="stacked"
          series={[...outcomes]}
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
