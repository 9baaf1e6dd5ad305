import { Table, UnstyledButton } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { useFilters } from '../../lib/search.ts';
import { LoadingMore, type MorePages, useVisibleRows } from './virtual-list.tsx';

export interface Column<Row> {
  readonly label: string;
  /** The heading is for screen readers only. */
  readonly isLabelHidden?: boolean;
  /** The order that a click on the heading asks for; `-` before it reverses it. */
  readonly sort?: string;
  readonly width?: number;
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

/** The space that rows out of sight take up. */
function Spacer({ height }: { height: number }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content cannot be focused
  return height > 0 ? <tr className="spacer" aria-hidden="true" style={{ height }} /> : null;
}

interface DataRowProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
  readonly index: number;
  readonly measure: (element: HTMLTableRowElement | null) => void;
}

/** Rendered again only if its own row or the columns change, not with every page that is loaded or scrolled to. */
const DataRow = memo(function DataRow<Row>({ columns, row, index, measure }: DataRowProps<Row>) {
  return (
    <Table.Tr ref={measure} data-index={index} role="row" aria-rowindex={index + 2}>
      {columns.map((column) => (
        <Table.Td
          key={column.label}
          role="cell"
          {...(column.width !== undefined && { w: column.width })}
          {...(!column.isLabelHidden && { 'data-label': column.label })}
        >
          {column.cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}) as <Row>(props: DataRowProps<Row>) => ReactNode;

/**
 * A table of any length: only the rows in sight are in the page, and the next ones are loaded when they come near. On a narrow
 * screen each row becomes a card, so that nothing is out of sight to the side. The columns should stay the same from one
 * render to the next (useMemo), or every row is rendered again.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  estimatedRowHeight = 57,
  initialSort = '',
  hasLongCells = false,
  total,
  more,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  estimatedRowHeight?: number;
  initialSort?: string;
  /** Cells have many lines: their beginnings are level, not their middles. */
  hasLongCells?: boolean;
  total?: number | null | undefined;
  more?: MorePages;
}) {
  const [{ sort = initialSort }] = useFilters();
  const visible = useVisibleRows<HTMLTableSectionElement, Row>(rows, rowKey, estimatedRowHeight, more);
  return (
    <>
      <Table
        className={hasLongCells ? 'data-table with-long-cells' : 'data-table'}
        aria-label={label}
        role="table"
        aria-rowcount={(total ?? rows.length) + 1}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row" aria-rowindex={1}>
            {columns.map((column) => (
              <Table.Th key={column.label} role="columnheader" aria-sort={sortState(sort, column.sort)}>
                {column.isLabelHidden ? (
                  <span className="visually-hidden">{column.label}</span>
                ) : column.sort === undefined ? (
                  column.label
                ) : (
                  <SortButton label={column.label} sort={column.sort} initial={initialSort} />
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={visible.container} role="rowgroup">
          <Spacer height={visible.before} />
          {visible.items.map(({ index, key }) => (
            <DataRow key={key} columns={columns} row={rows[index]!} index={index} measure={visible.measure} />
          ))}
          <Spacer height={visible.after} />
        </Table.Tbody>
      </Table>
      <LoadingMore more={more} />
    </>
  );
}
