import type { Db, RowSource } from '../sql.ts';
import { ColumnsRow } from './row.ts';

/** Reads rows through the client itself, on any connection; also within a transaction. */
export function rowsFrom(db: Db): RowSource {
  return async (statement, parameters, onRow) => {
    const query = db.unsafe(statement, [...parameters], { prepare: true }).raw();
    await query.forEach((columns) => void onRow(new ColumnsRow(columns as unknown as Buffer[])));
  };
}
