import { Anchor } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { Column } from '../../components/lists/table-frame.tsx';
import { TableRegion } from '../../components/lists/table-region.tsx';
import { formatNumber } from '../../lib/format.ts';
import type { Outcomes } from '../insights/measures/acceptance.ts';
import { acceptanceText } from '../insights/measures/acceptance-text.ts';
import { outcomes } from '../insights/measures/outcomes.ts';

/** The numbers of a chart as a table, also for screen readers. */
export function OutcomeTable<Row extends Outcomes & { name: string }>({
  title,
  rows,
  nameOf,
}: {
  title: string;
  rows: readonly Row[];
  nameOf: (row: Row) => ReactNode;
}) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const label = isOpen ? 'Hide the numbers' : 'Show the numbers';
  const columns: Column<Row>[] = [
    {
      label: title.replace(/^.* by /i, '').replace(/^./, (letter) => letter.toUpperCase()),
      cell: nameOf,
    },
    { label: 'Posted', align: 'right', cell: ({ posted }) => formatNumber(posted) },
    ...outcomes.map(({ name, label: outcome }) => ({
      label: outcome,
      align: 'right' as const,
      cell: (row: Row) => formatNumber(row[name]),
    })),
    { label: 'Acceptance', align: 'right', cell: acceptanceText },
  ];
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        mt="xs"
        onClick={toggle}
        aria-expanded={isOpen}
        aria-label={`${label}: ${title}`}
      >
        {label}
      </Anchor>
      {isOpen && (
        <TableRegion
          label={`${title}, as numbers`}
          columns={columns}
          rows={rows}
          rowKey={({ name }) => name}
          maxHeight={360}
        />
      )}
    </>
  );
}
