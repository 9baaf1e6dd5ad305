import type { Db } from '../../../db/database.ts';
import { cutPage } from '../../../lib/wire/one-page.ts';
import { type ConnectionPosition, findConnections } from '../store.ts';

/** Connections, newest first. */
export async function listConnections(
  db: Db,
  { after, limit }: { after: ConnectionPosition | undefined; limit: number },
) {
  const found = await findConnections(db, after, limit + 1);
  const { rows, next } = cutPage(found, limit, ({ id, createdAt }) => ({
    id,
    createdAt: createdAt.toISOString(),
  }));
  return { connections: rows, next };
}
