import { Badge, Text, Title } from '@mantine/core';
import type { Column } from '../../components/lists/table-frame.tsx';
import { TableRegion } from '../../components/lists/table-region.tsx';
import { humanize } from '../../lib/format.ts';
import type { Run } from './wire.ts';

const colors = { full: 'teal', partial: 'orange', skipped: 'gray' } as const;

const columns: readonly Column<Run['coverage'][number]>[] = [
  {
    label: 'File',
    cell: ({ path }) => (
      <Text size="sm" ff="monospace" style={{ wordBreak: 'break-all' }}>
        {path}
      </Text>
    ),
  },
  { label: 'Coverage', cell: ({ state }) => <Badge color={colors[state]}>{humanize(state)}</Badge> },
  { label: 'Reason', cell: ({ reason }) => (reason === null ? '–' : humanize(reason)) },
];

/** The review coverage of every changed file; files that were not fully covered come first. */
export function CoverageTable({ coverage }: { coverage: Run['coverage'] }) {
  const order = ['partial', 'skipped', 'full'];
  const sorted = coverage.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return (
    <section aria-labelledby="coverage">
      <Title order={2} mb="sm" id="coverage">
        Review coverage
      </Title>
      <TableRegion label="Coverage" columns={columns} rows={sorted} rowKey={({ path }) => path} />
    </section>
  );
}
