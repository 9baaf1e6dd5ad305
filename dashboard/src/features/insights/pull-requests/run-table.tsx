import { Badge, Text, Title } from '@mantine/core';
import type { Column } from '../../../components/lists/table-frame.tsx';
import { TableRegion } from '../../../components/lists/table-region.tsx';
import { formatInstant, formatNumber, humanize } from '../../../lib/format.ts';
import { statusColors } from '../../reviews/wire.ts';
import { InsightLink } from '../insight-link.tsx';
import { formatElapsed } from '../measures/durations.ts';
import type { PullRequest } from '../wire.ts';

const columns: readonly Column<PullRequest['runs'][number]>[] = [
  {
    label: 'Asked for',
    cell: ({ id, created_at }) => (
      <InsightLink page={`reviews/${id}`}>{formatInstant(created_at)}</InsightLink>
    ),
  },
  {
    label: 'Status',
    cell: ({ status }) => <Badge color={statusColors[status]}>{humanize(status)}</Badge>,
  },
  { label: 'Started by', cell: ({ trigger }) => humanize(trigger) },
  { label: 'Time taken', cell: ({ started_at, finished_at }) => formatElapsed(started_at, finished_at) },
  { label: 'Model cost', cell: ({ calls, cost_usd }) => (calls === 0 ? '–' : `$${cost_usd.toFixed(2)}`) },
];

/** The reviews of a pull request, newest first. */
export function RunTable({ runs, count }: { runs: PullRequest['runs']; count: number }) {
  return (
    <section aria-labelledby="runs">
      <Title order={2} mb="sm" id="runs">
        Reviews ({formatNumber(count)})
      </Title>
      {runs.length < count && (
        <Text c="dimmed" mb="sm">
          The newest {formatNumber(runs.length)} are listed.
        </Text>
      )}
      <TableRegion label="Reviews" columns={columns} rows={runs} rowKey={({ id }) => id} />
    </section>
  );
}
