import type { Database, Tx } from './database.ts';

/**
 * Reads on another connection what the transaction sees, so that both are busy at once. While fewer than half of the
 * connections are free it reads on that of the transaction: nobody may wait for a second connection while holding one.
 * The transaction must be repeatable read and stay open until the result is there.
 */
export async function readBeside<T>(
  database: Database,
  tx: Tx,
  read: (beside: Tx) => Promise<T>,
): Promise<T> {
  const [exported] = await tx<[{ snapshot: string }]>`SELECT pg_export_snapshot() AS snapshot`;
  const { inUse, size } = database.connections().transactions;
  if (inUse > size / 2) return read(tx);
  return database.transaction(
    async (beside) => {
      await beside.unsafe(`SET TRANSACTION SNAPSHOT '${exported.snapshot}'`);
      return read(beside);
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}
