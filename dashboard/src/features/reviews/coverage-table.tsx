import { Badge, Table, Text, Title } from '@mantine/core';
import { TableRegion } from '../../components/lists/table-region.tsx';
import { humanize } from '../../lib/format.ts';
import type { Run } from './wire.ts';

const colors = { full: 'teal', partial: 'orange', skipped: 'gray' } as const;

/** Every changed file, and what was looked at in it; those that were not seen whole first. */
export function CoverageTable({ coverage }: { coverage: Run['coverage'] }) {
  const order = ['partial', 'skipped', 'full'];
  const sorted = coverage.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return (
    <section aria-labelledby="coverage">
      <Title order={2} mb="sm" id="coverage">
        What was looked at
      </Title>
      <TableRegion label="Coverage" minWidth={420} columns={['File', 'Looked at', 'Reason']}>
        {sorted.map(({ path, state, reason }) => (
          <Table.Tr key={path}>
            <Table.Td>
              <Text size="sm" ff="monospace" style={{ wordBreak: 'break-all' }}>
                {path}
              </Text>
            </Table.Td>
            <Table.Td>
              <Badge color={colors[state]}>{humanize(state)}</Badge>
            </Table.Td>
            <Table.Td>{reason === null ? '–' : humanize(reason)}</Table.Td>
          </Table.Tr>
        ))}
      </TableRegion>
    </section>
  );
}
