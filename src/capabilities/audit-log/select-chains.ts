import type { Db } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { type ChainRow, findChains, type OrganizationName } from './store.ts';

/** Every chain of the audit log, or that of the organization named, or NOT_FOUND. */
export async function selectChains(db: Db, name: OrganizationName): Promise<ChainRow[]> {
  const chains = await findChains(db, name);
  if (name.org_id !== undefined && chains.length === 0)
    throw new AppError('NOT_FOUND', 'org_id: there is no such organization with audit entries');
  return chains;
}
