import type { Database } from '../../db/database.ts';
import type { KeyContext } from '../../http/endpoint.ts';
import { fixedSizePage } from './fixed-size-page.ts';
import { findOrganizations } from './store.ts';

/** Lists the active organizations that the key can see, by name. */
export async function listOrganizations(
  { database }: { database: Database },
  { scope, cursors }: KeyContext,
  asked: { limit?: number | undefined; cursor?: string | undefined },
) {
  const { rows, nextCursor } = await fixedSizePage(cursors, null, asked, (after, limit) =>
    findOrganizations(database.sql, scope, after, limit),
  );
  return { organizations: rows, next_cursor: nextCursor };
}
