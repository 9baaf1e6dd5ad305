import { humanize } from '../../lib/format.ts';
import type { Outcomes } from './acceptance.ts';
import { OutcomeChart } from './outcome-chart.tsx';

const rowHeight = 34;
const labelWidth = 150;
/** What fits on one line beside the bars; the whole name is in the tooltip and in the table. */
const maxLabelLength = 20;

export function shortenLabel(name: string): string {
  return name.length <= maxLabelLength ? name : `${name.slice(0, maxLabelLength - 1).trimEnd()}…`;
}

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
      xAxisProps={{ allowDecimals: false }}
      yAxisProps={{ width: labelWidth, interval: 0, tickFormatter: shortenLabel }}
      gridAxis="x"
    />
  );
}
