import { Anchor, Text } from '@mantine/core';
import type { Column } from '../../../components/lists/table-frame.tsx';
import { TableRegion } from '../../../components/lists/table-region.tsx';
import { formatInstant, humanize } from '../../../lib/format.ts';
import { InsightLink, pullRequestPage } from '../insight-link.tsx';
import { sourceName } from '../measures/source-name.ts';
import type { ListedComment } from '../wire.ts';
import { commentName, commentPlace } from './comment-name.ts';
import { OutcomeBadge } from './outcome-badge.tsx';

const columns: readonly Column<ListedComment>[] = [
  { label: 'Comment', minWidth: 130, cell: (row) => <CommentCell row={row} /> },
  { label: 'Outcome', cell: ({ accepted }) => <OutcomeBadge accepted={accepted} /> },
  { label: 'Severity', cell: ({ severity }) => (severity === null ? '–' : humanize(severity)) },
  { label: 'Category', cell: ({ category }) => (category === null ? '–' : humanize(category)) },
  { label: 'Raised by', cell: ({ source }) => sourceName(source) },
  { label: 'Pull request', cell: (row) => <PullRequestCell row={row} /> },
  { label: 'Merged', cell: ({ merged_at }) => formatInstant(merged_at) },
];

/** Comments, each with links to its pull request and to the comment at the host. */
export function CommentTable({ rows }: { rows: readonly ListedComment[] }) {
  return (
    <TableRegion
      label="Comments"
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.organization}/${row.repository_id}/${row.number}/${row.finding_id}`}
    />
  );
}

function CommentCell({ row }: { row: ListedComment }) {
  const [name, place] = [commentName(row), commentPlace(row)];
  return (
    <div>
      <Anchor href={row.url} rel="noreferrer" inherit style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Anchor>
      {place !== null && place !== name && (
        <Text size="xs" c="dimmed" ff="monospace" style={{ wordBreak: 'break-all' }}>
          {place}
        </Text>
      )}
    </div>
  );
}

function PullRequestCell({ row }: { row: ListedComment }) {
  return (
    <div>
      <InsightLink page={pullRequestPage(row.repository_id, row.number)} organization={row.organization}>
        {row.repository_name} #{row.number}
      </InsightLink>
      {row.author_name !== null && (
        <Text size="xs" c="dimmed">
          by {row.author_name}
        </Text>
      )}
    </div>
  );
}
