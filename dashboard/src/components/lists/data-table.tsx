import { Table } from '@mantine/core';
import { type Column, TableFrame, TableRow } from './table-frame.tsx';
import { LoadingMore, type MorePages, useVisibleRows } from './virtual-list.tsx';

/** The space of rows that are not rendered. */
function Spacer({ height }: { height: number }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content cannot be focused
  return height > 0 ? <tr className="spacer" aria-hidden="true" style={{ height }} /> : null;
}

/**
 * A table of any length: only visible rows are rendered, and the next page is loaded when its rows come near. The columns should
 * stay the same from one render to the next (useMemo), or every row is rendered again.
 */
export function DataTable<Row>({
  rows,
  rowKey,
  estimatedRowHeight = 57,
  total,
  more,
  ...frame
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  estimatedRowHeight?: number;
  initialSort?: string;
  /** Aligns the tops of cells instead of their middles, for cells with many lines. */
  hasLongCells?: boolean;
  total?: number | null | undefined;
  more?: MorePages;
}) {
  const visible = useVisibleRows<HTMLTableSectionElement, Row>(rows, rowKey, estimatedRowHeight, more);
  return (
    <div className="table-place">
      <TableFrame {...frame} rowCount={total ?? rows.length}>
        <Table.Tbody ref={visible.container} role="rowgroup">
          <Spacer height={visible.before} />
          {visible.items.map(({ index, key }) => (
            <TableRow
              key={key}
              columns={frame.columns}
              row={rows[index]!}
              index={index}
              measure={visible.measure}
            />
          ))}
          <Spacer height={visible.after} />
        </Table.Tbody>
      </TableFrame>
      <LoadingMore more={more} />
    </div>
  );
}
