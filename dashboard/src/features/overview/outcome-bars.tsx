import { BarChart } from '@mantine/charts';
import { Paper, Title } from '@mantine/core';
import { humanize } from '../../lib/format.ts';
import type { Outcomes } from './acceptance.ts';
import { outcomeSeries } from './colours.ts';
import { OutcomeTable } from './outcome-table.tsx';

const rowHeight = 34;

/** One bar per name, split by what became of the comments. */
export function OutcomeBars({
  title,
  rows,
  isNamed = false,
}: {
  title: string;
  rows: readonly (Outcomes & { name: string | null })[];
  /** The names are people's own, to be shown as they are. */
  isNamed?: boolean;
}) {
  const named = rows.map((row) => ({
    ...row,
    name: row.name === null ? 'Not stated' : isNamed ? row.name : humanize(row.name),
  }));
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="md">
        {title}
      </Title>
      <div aria-hidden="true">
        <BarChart
          h={named.length * rowHeight + 70}
          data={named}
          dataKey="name"
          type="stacked"
          orientation="vertical"
          series={outcomeSeries}
          barChartProps={{ accessibilityLayer: false }}
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          barProps={{ isAnimationActive: false, barSize: 16 }}
          yAxisProps={{ width: 130, interval: 0 }}
          gridAxis="x"
        />
      </div>
      <OutcomeTable title={title} rows={named} />
    </Paper>
  );
}
