import { humanize } from '../../lib/format.ts';
import type { Outcomes } from './acceptance.ts';
import { OutcomeChart } from './outcome-chart.tsx';

const rowHeight = 34;

/** One bar per name. */
export function OutcomeBars({
  title,
  rows,
  hasProperNames = false,
}: {
  title: string;
  rows: readonly (Outcomes & { name: string | null })[];
  /** The names were chosen by people and are shown as they are. */
  hasProperNames?: boolean;
}) {
  const named = rows.map((row) => ({
    ...row,
    name: row.name === null ? 'Not stated' : hasProperNames ? row.name : humanize(row.name),
  }));
  return (
    <OutcomeChart
      title={title}
      rows={named}
      h={named.length * rowHeight + 70}
      orientation="vertical"
      barProps={{ isAnimationActive: false, barSize: 16 }}
      yAxisProps={{ width: 130, interval: 0 }}
      gridAxis="x"
    />
  );
}
