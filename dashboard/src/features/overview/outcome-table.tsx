import { Anchor, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { formatNumber } from '../../lib/format.ts';
import type { Outcomes } from '../insights/measures/acceptance.ts';
import { acceptanceText } from '../insights/measures/acceptance-text.ts';

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
        <Table.ScrollContainer
          type="native"
          minWidth={480}
          mah={360}
          tabIndex={0}
          role="region"
          aria-label={`${title}, as numbers`}
        >
          <Table stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>
                  {title.replace(/^.* by /i, '').replace(/^./, (letter) => letter.toUpperCase())}
                </Table.Th>
                <Table.Th ta="right">Posted</Table.Th>
                <Table.Th ta="right">Accepted</Table.Th>
                <Table.Th ta="right">Not accepted</Table.Th>
                <Table.Th ta="right">Unknown</Table.Th>
                <Table.Th ta="right">Rate</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.name}>
                  <Table.Td>{nameOf(row)}</Table.Td>
                  <Table.Td ta="right">{formatNumber(row.posted)}</Table.Td>
                  <Table.Td ta="right">{formatNumber(row.accepted)}</Table.Td>
                  <Table.Td ta="right">{formatNumber(row.not_accepted)}</Table.Td>
                  <Table.Td ta="right">{formatNumber(row.unknown)}</Table.Td>
                  <Table.Td ta="right">{acceptanceText(row)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  );
}
