import { Table, Text } from '@mantine/core';
import { TableRegion } from '../../../components/lists/table-region.tsx';
import { formatInstant, formatNumber } from '../../../lib/format.ts';
import { InsightLink, pullRequestPage, repositoryPage } from '../insight-link.tsx';
import { formatElapsed } from '../measures/durations.ts';
import type { ListedPullRequest } from '../wire.ts';

/** Pull requests, each with a link to its page and to the lists behind its numbers. */
export function PullRequestTable({ rows }: { rows: readonly ListedPullRequest[] }) {
  return (
    <TableRegion
      label="Pull requests"
      minWidth={860}
      columns={[
        'Pull request',
        'Author',
        'Merged',
        'To first review',
        'To merge',
        'Iterations',
        'Comments',
        'Accepted',
      ]}
    >
      {rows.map((row) => {
        const start = row.ready_for_review_at ?? row.created_at;
        const page = pullRequestPage(row.repository_id, row.number);
        return (
          <Table.Tr key={`${row.organization}/${row.repository_id}/${row.number}`}>
            <Table.Td>
              <InsightLink page={page} organization={row.organization}>
                #{row.number}
              </InsightLink>
              <Text size="xs" c="dimmed">
                <InsightLink page={repositoryPage(row.repository_id)} organization={row.organization}>
                  {row.repository_name}
                </InsightLink>
              </Text>
            </Table.Td>
            <Table.Td>
              {row.author_id === null ? (
                '–'
              ) : (
                <InsightLink page="pull-requests" filters={{ author: row.author_id }}>
                  {row.author_name ?? row.author_id}
                </InsightLink>
              )}
            </Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatInstant(row.merged_at)}</Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              {formatElapsed(start, row.first_human_review_at)}
            </Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatElapsed(start, row.merged_at)}</Table.Td>
            <Table.Td>{row.review_iterations === null ? '–' : formatNumber(row.review_iterations)}</Table.Td>
            <Table.Td>
              {row.posted === 0 ? (
                formatNumber(0)
              ) : (
                <InsightLink
                  page={page}
                  organization={row.organization}
                  label={`${row.posted} comments on #${row.number}`}
                >
                  {formatNumber(row.posted)}
                </InsightLink>
              )}
            </Table.Td>
            <Table.Td>
              {row.posted === 0 ? '–' : `${formatNumber(row.accepted)} of ${formatNumber(row.posted)}`}
            </Table.Td>
          </Table.Tr>
        );
      })}
    </TableRegion>
  );
}
