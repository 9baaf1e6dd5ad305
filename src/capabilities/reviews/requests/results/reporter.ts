import type { Database, Tx } from '../../../../db/database.ts';
import { AppError } from '../../../../lib/app-error.ts';
import type { OrganizationId } from '../../../../lib/ids.ts';
import { findRepositories, type VersionKey } from '../../results/results-store.ts';
import type { NewRun } from '../../runs/store.ts';

/** Who sends a report about a repository, and for which organizations they may. */
export interface Reporter extends Pick<NewRun, 'actor' | 'apiKeyId'> {
  readonly organizations: readonly {
    readonly id: OrganizationId;
    readonly provider: string;
    readonly orgId: string;
  }[];
  /** Whether `org_id` selects one of them. */
  readonly mayChoose: boolean;
  /** Throws if the right was revoked; called in the transaction that stores the report. */
  confirm(tx: Tx, organizationId: OrganizationId): Promise<void>;
}

/** The repository that a report is about. */
export async function locateRepository(
  { database }: { readonly database: Database },
  { organizations, mayChoose }: Reporter,
  { repositoryId, orgId }: { readonly repositoryId: string; readonly orgId: string | null },
): Promise<Omit<VersionKey, 'head'>> {
  const chosen =
    orgId === null || !mayChoose
      ? organizations
      : organizations.filter((one) => [one.orgId, `${one.provider}:${one.orgId}`].includes(orgId));
  const ids = chosen.map(({ id }) => id);
  const [found, ...others] = await findRepositories(database.sql, ids, repositoryId);
  if (found === undefined) throw new AppError('NOT_FOUND', 'There is no such repository');
  if (others.length > 0)
    throw new AppError(
      'INVALID_REQUEST',
      'org_id: is required, since several organizations have a repository with this id',
    );
  return found;
}
