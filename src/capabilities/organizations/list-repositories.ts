import type { CallerContext } from '../../access/caller-context.ts';
import { scopeOfOne } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import { findRepositories, type NamePosition, positionByName } from './store.ts';

/** Lists the active repositories of one organization by name; one outside the caller's scope is not found. */
export async function listRepositories(
  { database }: { database: Database },
  { scope }: CallerContext,
  organizationId: OrganizationId,
  { after, limit }: { after: NamePosition | undefined; limit: number },
) {
  const one = scopeOfOne(scope, organizationId);
  const found = await findRepositories(database.sql, one, organizationId, after, limit + 1);
  const { rows, next } = cutPage(found, limit, positionByName);
  return { repositories: rows, next };
}
