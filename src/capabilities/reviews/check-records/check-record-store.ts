import type { Db, Tx } from '../../../db/database.ts';
import type { CheckSettings } from '../../../reviewer/configuration/checks-shape.ts';
import type { CheckVerdict } from '../../../reviewer/review-report.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { toStorableJson } from '../runs/attempt-store.ts';

/** The name for all checks of a pull request together; no single check can have such a name. */
export const allChecks = 'postil/checks';

/** Records when each check of a pull request failed, and since when it passes. An inconclusive verdict changes nothing. */
export async function recordVerdicts(
  tx: Tx,
  { organizationId, repositoryId, number }: PullRequestKey,
  verdicts: readonly CheckVerdict[],
  at: Date,
): Promise<void> {
  const all = [...verdicts, { name: allChecks, verdict: verdictOnAll(verdicts) }];
  const names = verdicts.length === 0 ? [] : all.map(({ name }) => name);
  // Checks that are no longer configured do not count as failing.
  await tx`
    UPDATE check_records SET failing_at = NULL
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}
      AND check_name <> ALL(${names}::text[]) AND failing_at IS NOT NULL`;
  if (verdicts.length === 0) return;
  const said = all.map(({ verdict }) => verdict);
  await tx`
    INSERT INTO check_records AS r (organization_id, repository_id, number, check_name, first_at, failures, failed_at, held_at,
      failing_at)
    SELECT ${organizationId}::uuid, ${repositoryId}::uuid, ${number}::integer, name, ${at}::timestamptz, (said = 'failed')::integer,
      CASE WHEN said = 'failed' THEN ${at}::timestamptz END, CASE WHEN said IN ('passed', 'skipped') THEN ${at}::timestamptz END,
      CASE WHEN said = 'failed' THEN ${at}::timestamptz END
    FROM unnest(${names}::text[], ${said}::text[]) AS v(name, said)
    ON CONFLICT (organization_id, repository_id, number, check_name) DO UPDATE SET
      failures = r.failures
        + (excluded.failed_at IS NOT NULL AND (r.failed_at IS NULL OR r.held_at IS NOT NULL))::integer,
      failed_at = coalesce(r.failed_at, excluded.failed_at),
      held_at = CASE WHEN excluded.failed_at IS NULL THEN coalesce(r.held_at, excluded.held_at) END,
      failing_at = excluded.failing_at`;
}

/** The combined verdict: failed while any check in mode `error` fails. */
function verdictOnAll(verdicts: readonly CheckVerdict[]): CheckVerdict['verdict'] {
  const must = verdicts.filter(({ mode }) => mode === 'error');
  if (must.some(({ verdict }) => verdict === 'failed')) return 'failed';
  return must.some(({ verdict }) => verdict === 'inconclusive') ? 'inconclusive' : 'passed';
}

/** The checks that the configuration file in a branch asks for, as last read. */
export interface BranchChecks {
  readonly branch: string;
  readonly revision: string;
  readonly file: string | null;
  readonly checks: CheckSettings;
  readonly notes: readonly string[];
  readonly readAt: Date;
}

/** A branch that nothing was merged into for this long is considered deleted. */
const keptDays = 90;

export async function storeBranchChecks(
  db: Db,
  { organizationId, repositoryId }: Pick<PullRequestKey, 'organizationId' | 'repositoryId'>,
  { branch, revision, file, checks, notes, readAt }: BranchChecks,
): Promise<void> {
  await db`
    WITH outdated AS (
      DELETE FROM branch_checks WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId}
        AND branch <> ${branch} AND read_at < ${new Date(readAt.getTime() - keptDays * 86_400_000)})
    INSERT INTO branch_checks (organization_id, repository_id, branch, revision, file, checks, notes, read_at)
    VALUES (${organizationId}, ${repositoryId}, ${branch}, ${revision}, ${file}, ${toStorableJson(checks)}::text::jsonb,
      ${[...notes]}::text[], ${readAt})
    ON CONFLICT (organization_id, repository_id, branch) DO UPDATE SET revision = excluded.revision, file = excluded.file,
      checks = excluded.checks, notes = excluded.notes, read_at = excluded.read_at`;
}

/** What is known about the branches of a repository, the most recently read first. */
export async function listBranchChecks(
  db: Db,
  { organizationId, repositoryId }: Pick<PullRequestKey, 'organizationId' | 'repositoryId'>,
): Promise<BranchChecks[]> {
  return db<BranchChecks[]>`
    SELECT branch, revision, file, checks, notes, read_at AS "readAt" FROM branch_checks
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId}
    ORDER BY read_at DESC, branch LIMIT 100`;
}
