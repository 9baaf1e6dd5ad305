import type { CallerContext } from '../../access/caller-context.ts';
import type { Database } from '../../db/database.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import { findOrganizations, type NamePosition, positionByName } from './store.ts';

/** Lists the active organizations that the caller can see, by name. */
export async function listOrganizations(
  { database }: { database: Database },
  { scope }: CallerContext,
  { after, limit }: { after: NamePosition | undefined; limit: number },
) {
  const found = await findOrganizations(database.sql, scope, after, limit + 1);
  const { rows, next } = cutPage(found, limit, positionByName);
  return { organizations: rows, next };
}
