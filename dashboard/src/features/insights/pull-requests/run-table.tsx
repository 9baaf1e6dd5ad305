import { Badge, Table, Text, Title } from '@mantine/core';
import { TableRegion } from '../../../components/lists/table-region.tsx';
import { formatInstant, formatNumber, humanize } from '../../../lib/format.ts';
import { statusColors } from '../../reviews/wire.ts';
import { InsightLink } from '../insight-link.tsx';
import { formatElapsed } from '../measures/durations.ts';
import type { PullRequest } from '../wire.ts';

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
      <TableRegion
        label="Reviews"
        minWidth={520}
        columns={['Asked for', 'Status', 'Started by', 'Time taken', 'Model cost']}
      >
        {runs.map((run) => (
          <Table.Tr key={run.id}>
            <Table.Td>
              <InsightLink page={`reviews/${run.id}`}>{formatInstant(run.created_at)}</InsightLink>
            </Table.Td>
            <Table.Td>
              <Badge color={statusColors[run.status]}>{humanize(run.status)}</Badge>
            </Table.Td>
            <Table.Td>{humanize(run.trigger)}</Table.Td>
            <Table.Td>{formatElapsed(run.started_at, run.finished_at)}</Table.Td>
            <Table.Td>{run.calls === 0 ? '–' : `$${run.cost_usd.toFixed(2)}`}</Table.Td>
          </Table.Tr>
        ))}
      </TableRegion>
    </section>
  );
}
