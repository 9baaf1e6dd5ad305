import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** A table that scrolls sideways on a narrow screen, also with the keyboard. */
export function TableRegion({
  label,
  minWidth,
  columns,
  children,
}: {
  label: string;
  minWidth: number;
  /** Headings; one that starts with `.` is for screen readers only. */
  columns: readonly ReactNode[];
  children: ReactNode;
}) {
  return (
    <Table.ScrollContainer type="native" minWidth={minWidth} tabIndex={0} role="region" aria-label={label}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
              <Table.Th key={index}>
                {typeof column === 'string' && column.startsWith('.') ? (
                  <span className="visually-hidden">{column.slice(1)}</span>
                ) : (
                  column
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
