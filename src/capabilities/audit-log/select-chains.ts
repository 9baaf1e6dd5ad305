import type { Db } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { type ChainRow, findChains, type OrganizationReference } from './store.ts';

/** Returns every chain of the audit log, or that of the given organization; NOT_FOUND if it has none. */
export async function selectChains(db: Db, organization: OrganizationReference): Promise<ChainRow[]> {
  const chains = await findChains(db, organization);
  if (organization.org_id !== undefined && chains.length === 0)
    throw new AppError('NOT_FOUND', 'org_id: no such organization has audit entries');
  return chains;
}
