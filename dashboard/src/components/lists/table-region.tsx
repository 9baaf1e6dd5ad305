import { Box, Table } from '@mantine/core';
import { type Column, TableFrame, TableRow } from './table-frame.tsx';

/** A table with all of its rows rendered. If words are too long for its columns, it scrolls sideways, also with the keyboard. */
export function TableRegion<Row>({
  label,
  columns,
  rows,
  rowKey,
  maxHeight,
  isInDialog = false,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Longer tables scroll below their headings. */
  maxHeight?: number;
  /** Dialogs are narrow on any screen: the few columns stay columns. */
  isInDialog?: boolean;
}) {
  return (
    <Box
      className={isInDialog ? undefined : 'table-place'}
      style={{ overflow: 'auto', maxHeight }}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <TableFrame
        label={label}
        columns={columns}
        rowCount={rows.length}
        hasLongCells
        hasStickyHeader={maxHeight !== undefined}
      >
        <Table.Tbody role="rowgroup">
          {rows.map((row, index) => (
            <TableRow key={rowKey(row)} columns={columns} row={row} index={index} />
          ))}
        </Table.Tbody>
      </TableFrame>
    </Box>
  );
}
