import { Table, UnstyledButton } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { useFilters } from '../../lib/search.ts';

export interface Column<Row> {
  readonly label: string;
  /** The heading is for screen readers only. */
  readonly isLabelHidden?: boolean;
  /** The sort order that a click on the heading selects; a `-` before it reverses it. */
  readonly sort?: string;
  readonly width?: number | string;
  /** How narrow the column can get, if its words can be broken. */
  readonly minWidth?: number;
  readonly align?: 'right';
  cell(row: Row): ReactNode;
}

/** Sorts by a column; the order is in the URL (`sort`). */
function SortButton({ label, sort, initial }: { label: string; sort: string; initial: string }) {
  const [{ sort: chosen = initial }, change] = useFilters();
  const mark = chosen === sort ? ' ↑' : chosen === `-${sort}` ? ' ↓' : '';
  return (
    <UnstyledButton
      fw={600}
      onClick={() => change({ sort: chosen === sort ? `-${sort}` : sort })}
      aria-label={`Sort by ${label.toLowerCase()}`}
    >
      {label}
      <span aria-hidden="true">{mark}</span>
    </UnstyledButton>
  );
}

function sortState(chosen: string, sort: string | undefined) {
  if (sort === undefined) return undefined;
  if (chosen === sort) return 'ascending';
  return chosen === `-${sort}` ? 'descending' : 'none';
}

function Heading<Row>({ column, initialSort }: { column: Column<Row>; initialSort: string }) {
  const [{ sort = initialSort }] = useFilters();
  const { label, isLabelHidden, width, minWidth, align } = column;
  return (
    <Table.Th
      role="columnheader"
      aria-sort={sortState(sort, column.sort)}
      style={{ width, minWidth, textAlign: align }}
    >
      {isLabelHidden ? (
        <span className="visually-hidden">{label}</span>
      ) : column.sort === undefined ? (
        label
      ) : (
        <SortButton label={label} sort={column.sort} initial={initialSort} />
      )}
    </Table.Th>
  );
}

/**
 * A table with its headings. If it has little room, each row becomes a card, so that nothing is cut off at the side. Roles are
 * explicit, because cards are no table to a browser.
 */
export function TableFrame<Row>({
  label,
  columns,
  rowCount,
  initialSort = '',
  hasLongCells = false,
  hasStickyHeader = false,
  children,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rowCount: number;
  initialSort?: string;
  hasLongCells?: boolean;
  hasStickyHeader?: boolean;
  children: ReactNode;
}) {
  return (
    <Table
      className={hasLongCells ? 'data-table with-long-cells' : 'data-table'}
      aria-label={label}
      role="table"
      aria-rowcount={rowCount + 1}
      stickyHeader={hasStickyHeader}
    >
      <Table.Thead role="rowgroup">
        <Table.Tr role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <Heading key={column.label} column={column} initialSort={initialSort} />
          ))}
        </Table.Tr>
      </Table.Thead>
      {children}
    </Table>
  );
}

interface TableRowProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
  readonly index: number;
  readonly measure?: (element: HTMLTableRowElement | null) => void;
}

/** Rendered again only if its own row or the columns change, not with every page that is loaded or scrolled to. */
export const TableRow = memo(function TableRow<Row>({ columns, row, index, measure }: TableRowProps<Row>) {
  return (
    <Table.Tr ref={measure} data-index={index} data-row tabIndex={-1} role="row" aria-rowindex={index + 2}>
      {columns.map((column) => (
        <Table.Td
          key={column.label}
          role="cell"
          {...(column.align !== undefined && { ta: column.align })}
          {...(!column.isLabelHidden && { 'data-label': column.label })}
        >
          {column.cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}) as <Row>(props: TableRowProps<Row>) => ReactNode;
