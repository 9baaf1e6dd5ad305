import { List, Text } from '@mantine/core';
import type { Column } from '../../../components/lists/table-frame.tsx';
import { TableRegion } from '../../../components/lists/table-region.tsx';
import { formatNumber } from '../../../lib/format.ts';
import type { Report } from '../wire.ts';

type Area = Report['walkthrough']['areas'][number];

function Symbols({ symbols }: Pick<Area, 'symbols'>) {
  const kinds = (['added', 'changed', 'removed'] as const).filter((kind) => symbols[kind].length > 0);
  if (kinds.length === 0) return '–';
  return kinds.map((kind) => (
    <Text key={kind} size="sm" style={{ overflowWrap: 'anywhere' }}>
      <Text span c="dimmed" inherit>
        {kind}
      </Text>{' '}
      {symbols[kind].join(', ')}
    </Text>
  ));
}

const columns: readonly Column<Area>[] = [
  {
    label: 'Folder',
    cell: ({ path }) => <strong style={{ overflowWrap: 'anywhere' }}>{path === '' ? '/' : path}</strong>,
  },
  { label: 'Files', cell: ({ files }) => formatNumber(files) },
  { label: 'Lines', cell: ({ added, removed }) => `+${formatNumber(added)} −${formatNumber(removed)}` },
  { label: 'Symbols', cell: ({ symbols }) => <Symbols symbols={symbols} /> },
];

/** What the change consists of, and in which order to read it. */
export function Walkthrough({
  walkthrough: { areas, total_areas, reading_order, moved_only },
  onOpen,
}: Pick<Report, 'walkthrough'> & { onOpen: (path: string) => void }) {
  return (
    <>
      <TableRegion
        label="Changed folders"
        columns={columns}
        rows={areas}
        rowKey={({ path }) => path}
        maxHeight={480}
      />
      {total_areas > areas.length && (
        <Text size="sm">and {formatNumber(total_areas - areas.length)} more folders</Text>
      )}
      {reading_order.length > 0 && (
        <details style={{ marginTop: 12 }}>
          <summary>Suggested reading order ({formatNumber(reading_order.length)})</summary>
          <List type="ordered" size="sm" mt="xs">
            {reading_order.map((path) => (
              <List.Item key={path}>
                <button type="button" className="plain-link" onClick={() => onOpen(path)}>
                  {path}
                </button>
              </List.Item>
            ))}
          </List>
        </details>
      )}
      {moved_only.length > 0 && (
        <Text size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
          Moved without changes: {moved_only.join(', ')}
        </Text>
      )}
    </>
  );
}
