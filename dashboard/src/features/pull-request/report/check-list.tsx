import { Badge, Stack, Text } from '@mantine/core';
import type { Column } from '../../../components/lists/table-frame.tsx';
import { TableRegion } from '../../../components/lists/table-region.tsx';
import { formatInstant, humanize } from '../../../lib/format.ts';
import type { Report } from '../wire.ts';

type Check = Report['checks'][number];

const colors = { passed: 'teal', failed: 'red', inconclusive: 'orange', skipped: 'gray' } as const;

const columns: readonly Column<Check>[] = [
  { label: 'Check', cell: ({ name }) => <strong>{name}</strong> },
  {
    label: 'Verdict',
    cell: ({ verdict, overridden }) => (
      <Badge color={overridden === undefined ? colors[verdict] : 'gray'} miw="max-content">
        {overridden === undefined ? humanize(verdict) : 'Overridden'}
      </Badge>
    ),
  },
  { label: 'If it fails', cell: ({ mode }) => (mode === 'error' ? 'Fails the status' : 'Only warns') },
  {
    label: 'Evidence',
    cell: ({ text, overridden, files = [], total_files = 0 }) => (
      <Stack gap={0}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        {overridden !== undefined && (
          <Text size="xs" c="dimmed">
            by {overridden.by}, {formatInstant(overridden.at)}: {overridden.reason}. Its result was:{' '}
            {overridden.text}
          </Text>
        )}
        {files.slice(0, 5).map(({ path, lines, run }) => (
          <Text key={path} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {path}: {run} of {lines} added lines are covered by tests
          </Text>
        ))}
        {total_files > 5 && (
          <Text size="xs" c="dimmed">
            and {total_files - 5} more {total_files === 6 ? 'file' : 'files'}
          </Text>
        )}
      </Stack>
    ),
  },
];

/** The results of checks before the merge, each with its evidence. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  return <TableRegion label="Checks" columns={columns} rows={checks} rowKey={({ name }) => name} />;
}
