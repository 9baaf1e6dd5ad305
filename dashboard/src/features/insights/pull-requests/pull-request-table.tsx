import { Box, Text } from '@mantine/core';
import type { Column } from '../../../components/lists/table-frame.tsx';
import { TableRegion } from '../../../components/lists/table-region.tsx';
import { formatInstant, formatNumber } from '../../../lib/format.ts';
import { InsightLink, pullRequestPage, repositoryPage } from '../insight-link.tsx';
import { formatElapsed } from '../measures/durations.ts';
import type { ListedPullRequest } from '../wire.ts';

const startOf = ({ ready_for_review_at, created_at }: ListedPullRequest) => ready_for_review_at ?? created_at;
const pageOf = ({ repository_id, number }: ListedPullRequest) => pullRequestPage(repository_id, number);

const columns: readonly Column<ListedPullRequest>[] = [
  { label: 'Pull request', cell: (row) => <PullRequestCell row={row} /> },
  {
    label: 'Author',
    cell: ({ author_id, author_name }) =>
      author_id === null ? (
        '–'
      ) : (
        <InsightLink page="pull-requests" filters={{ author: author_id }}>
          {author_name ?? author_id}
        </InsightLink>
      ),
  },
  { label: 'Merged', cell: ({ merged_at }) => formatInstant(merged_at) },
  { label: 'Time to first review', cell: (row) => formatElapsed(startOf(row), row.first_human_review_at) },
  { label: 'Time to merge', cell: (row) => formatElapsed(startOf(row), row.merged_at) },
  {
    label: 'Iterations',
    cell: ({ review_iterations }) => (review_iterations === null ? '–' : formatNumber(review_iterations)),
  },
  { label: 'Comments', cell: (row) => <CommentsCell row={row} /> },
  {
    label: 'Accepted',
    cell: ({ posted, accepted }) =>
      posted === 0 ? '–' : `${formatNumber(accepted)} of ${formatNumber(posted)}`,
  },
];

/** Pull requests, each with a link to its page and to the lists behind its numbers. */
export function PullRequestTable({ rows }: { rows: readonly ListedPullRequest[] }) {
  return (
    <TableRegion
      label="Pull requests"
      columns={columns}
      rows={rows}
      rowKey={({ organization, repository_id, number }) => `${organization}/${repository_id}/${number}`}
    />
  );
}

function PullRequestCell({ row }: { row: ListedPullRequest }) {
  return (
    <Box miw={128} maw={420} style={{ overflowWrap: 'anywhere' }}>
      <InsightLink page={pageOf(row)} organization={row.organization}>
        {row.title === null ? `#${row.number}` : `#${row.number} ${row.title}`}
      </InsightLink>
      <Text size="xs" c="dimmed">
        <InsightLink page={repositoryPage(row.repository_id)} organization={row.organization}>
          {row.repository_name}
        </InsightLink>
      </Text>
    </Box>
  );
}

function CommentsCell({ row }: { row: ListedPullRequest }) {
  if (row.posted === 0) return formatNumber(0);
  return (
    <InsightLink
      page={pageOf(row)}
      organization={row.organization}
      label={`${row.posted} comments on #${row.number}`}
    >
      {formatNumber(row.posted)}
    </InsightLink>
  );
}
