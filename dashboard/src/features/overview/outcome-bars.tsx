import { humanize } from '../../lib/format.ts';
import type { Outcomes } from './acceptance.ts';
import { OutcomeChart } from './outcome-chart.tsx';

const rowHeight = 34;

/** One bar per name. */
export function OutcomeBars({
  title,
  rows,
  showNamesVerbatim = false,
}: {
  title: string;
  rows: readonly (Outcomes & { name: string | null })[];
  /** Names that people chose are shown verbatim. */
  showNamesVerbatim?: boolean;
}) {
  const named = rows.map((row) => ({
    ...row,
    name: row.name === null ? 'Unspecified' : showNamesVerbatim ? row.name : humanize(row.name),
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
