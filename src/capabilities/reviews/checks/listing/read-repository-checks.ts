import type { CallerContext } from '../../../../access/caller-context.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import type { Database } from '../../../../db/database.ts';
import { AppError } from '../../../../lib/app-error.ts';
import type { RepositoryId } from '../../../../lib/ids.ts';
import { type EffectiveCheck, effectiveChecks } from '../../../../reviewer/checks/effective-checks.ts';
import { type BranchChecks, listBranchChecks } from '../../check-records/check-record-store.ts';
import { readReviewSettings } from '../../settings/review-settings.ts';

export interface RepositoryChecks {
  readonly repositoryId: string;
  readonly repositoryName: string;
  /** The configuration file in the requested branch; null if none was read yet. */
  readonly read: BranchChecks | null;
  readonly branches: readonly string[];
  readonly checks: readonly EffectiveCheck[];
}

/**
 * The checks that apply in a repository, and whether its file or the organization asks for them: settings as they are now,
 * the file as last read.
 */
export async function readRepositoryChecks(
  { database: { sql } }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  wanted: { readonly repositoryId: string; readonly branch: string | undefined },
): Promise<RepositoryChecks> {
  const organizationId = onlyOrganization(scope).organization.id;
  const [repository] = await sql<{ id: RepositoryId; name: string }[]>`
    SELECT id, name FROM repositories
    WHERE organization_id = ${organizationId} AND provider_repository_id = ${wanted.repositoryId}`;
  if (repository === undefined) throw new AppError('NOT_FOUND', 'There is no such repository');
  const branches = await listBranchChecks(sql, { organizationId, repositoryId: repository.id });
  const read = branches.find(({ branch }) => wanted.branch === undefined || branch === wanted.branch);
  if (wanted.branch !== undefined && read === undefined)
    throw new AppError(
      'NOT_FOUND',
      'The checks of this branch are not known: no pull request into it has been checked yet',
    );
  const { defaults, enforcedChecks } = await readReviewSettings(sql, organizationId);
  return {
    repositoryId: wanted.repositoryId,
    repositoryName: repository.name,
    read: read ?? null,
    branches: branches.map(({ branch }) => branch),
    checks: effectiveChecks({ organization: defaults.checks, file: read?.checks, enforced: enforcedChecks }),
  };
}
