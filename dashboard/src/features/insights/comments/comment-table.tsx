import { Anchor, Table, Text } from '@mantine/core';
import { TableRegion } from '../../../components/lists/table-region.tsx';
import { formatInstant, humanize } from '../../../lib/format.ts';
import { InsightLink, pullRequestPage } from '../insight-link.tsx';
import { sourceName } from '../measures/source-name.ts';
import type { ListedComment } from '../wire.ts';
import { OutcomeBadge } from './outcome-badge.tsx';

/** Comments, each with links to its pull request and to the comment at the host. */
export function CommentTable({ rows }: { rows: readonly ListedComment[] }) {
  return (
    <TableRegion
      label="Comments"
      minWidth={860}
      columns={['Comment', 'Outcome', 'Severity', 'Category', 'Raised by', 'Pull request', 'Merged']}
    >
      {rows.map((row) => (
        <Table.Tr key={`${row.organization}/${row.repository_id}/${row.number}/${row.finding_id}`}>
          <Table.Td maw={320}>
            <Anchor href={row.url} rel="noreferrer" inherit>
              {row.title ?? 'Comment at the host'}
            </Anchor>
            {row.path !== null && (
              <Text size="xs" c="dimmed" ff="monospace" style={{ wordBreak: 'break-all' }}>
                {row.path}
                {row.start_line !== null && `:${row.start_line}`}
              </Text>
            )}
          </Table.Td>
          <Table.Td>
            <OutcomeBadge accepted={row.accepted} />
          </Table.Td>
          <Table.Td>{row.severity === null ? '–' : humanize(row.severity)}</Table.Td>
          <Table.Td>{row.category === null ? '–' : humanize(row.category)}</Table.Td>
          <Table.Td>{sourceName(row.source)}</Table.Td>
          <Table.Td>
            <InsightLink
              page={pullRequestPage(row.repository_id, row.number)}
              organization={row.organization}
            >
              {row.repository_name} #{row.number}
            </InsightLink>
            {row.author_name !== null && (
              <Text size="xs" c="dimmed">
                by {row.author_name}
              </Text>
            )}
          </Table.Td>
          <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatInstant(row.merged_at)}</Table.Td>
        </Table.Tr>
      ))}
    </TableRegion>
  );
}
