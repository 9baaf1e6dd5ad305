import { scopeOfOne } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import type { KeyContext } from '../../http/endpoint.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { fixedSizePage } from './fixed-size-page.ts';
import { findRepositories } from './store.ts';

/** Lists the active repositories of one organization by name; one outside the key's scope is not found. */
export async function listRepositories(
  { database }: { database: Database },
  { scope, cursors }: KeyContext,
  organizationId: OrganizationId,
  asked: { limit?: number | undefined; cursor?: string | undefined },
) {
  const one = scopeOfOne(scope, organizationId);
  const { rows, nextCursor } = await fixedSizePage(cursors, organizationId, asked, (after, limit) =>
    findRepositories(database.sql, one, organizationId, after, limit),
  );
  return { repositories: rows, next_cursor: nextCursor };
}
