import { DataTable } from '../../components/lists/data-table.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import type { MorePages } from '../../components/lists/virtual-list.tsx';

/** A table of any number of people, sorted by name at first. */
export function PeopleTable<Row extends { user_id: string }>(props: {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  total: number | null | undefined;
  more: MorePages;
}) {
  return <DataTable label="People" rowKey={({ user_id }) => user_id} initialSort="name" {...props} />;
}
