import type { Db, Tx } from '../../../../db/database.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import type { RunKey } from '../../runs/run-record.ts';
import { type RunWithPull, reasonOutdated } from '../run-with-pull.ts';

/** Why no finding of the run can be released; null if some can. */
export function reasonToRefuse(run: RunWithPull): string | null {
  return run.release === null ? 'Nothing of this review waits for release' : reasonOutdated(run);
}

/** Records that the findings of a run wait for release. */
export async function noteWaiting(tx: Tx, { organizationId, runId }: RunKey): Promise<void> {
  await tx`UPDATE review_runs SET release = 'waiting' WHERE organization_id = ${organizationId} AND id = ${runId}`;
}

/** The findings of a run, without those that are never posted because their rules are quiet. */
export async function findDraftedIds(db: Db, { organizationId, runId }: RunKey): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT f.finding_id AS id
    FROM review_run_findings f JOIN review_runs r ON r.organization_id = f.organization_id AND r.id = f.run_id
    WHERE f.organization_id = ${organizationId} AND f.run_id = ${runId}
      AND NOT coalesce(r.report->'quiet', '[]') @> jsonb_build_array(jsonb_build_object('finding_id', f.finding_id))`;
  return rows.map(({ id }) => id);
}

/** The result of a release. */
export interface Released {
  readonly released: readonly string[];
  readonly dismissed: readonly string[];
}

/**
 * Releases these findings and dismisses the others of the run; a finding that was dismissed this way can still be released
 * later.
 */
export async function storeRelease(
  tx: Tx,
  { organizationId, runId, repositoryId, number }: RunWithPull,
  released: readonly string[],
  drafted: readonly string[],
  now: Date,
): Promise<Released> {
  const out = await tx<{ id: string }[]>`
    UPDATE review_findings SET released_at = ${now}, withheld_at = NULL, withheld_by_end = false, updated_at = ${now},
      state = CASE WHEN withheld_at IS NULL THEN state ELSE 'open' END
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${number}
      AND comment_id IS NULL AND finding_id = ANY(${released}) AND released_at IS NULL
    RETURNING finding_id AS id`;
  const held = await tx<{ id: string }[]>`
    UPDATE review_findings SET withheld_at = ${now}, state = 'dismissed', updated_at = ${now}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${number}
      AND comment_id IS NULL AND finding_id = ANY(${drafted}) AND released_at IS NULL AND state = 'open'
    RETURNING finding_id AS id`;
  await tx`UPDATE review_runs SET release = 'released' WHERE organization_id = ${organizationId} AND id = ${runId}`;
  return { released: out.map(({ id }) => id).sort(), dismissed: held.map(({ id }) => id).sort() };
}

/** Dismisses the findings that nobody has released by the end of the pull request. */
export async function withholdRest(
  tx: Tx,
  { organizationId, repositoryId, number }: PullRequestKey,
  now: Date,
): Promise<void> {
  await tx`
    UPDATE review_findings f SET withheld_at = ${now}, withheld_by_end = true, state = 'dismissed', updated_at = ${now}
    FROM review_runs r
    WHERE f.organization_id = ${organizationId} AND f.repository_id = ${repositoryId} AND f.pull_request = ${number}
      AND f.comment_id IS NULL AND f.released_at IS NULL AND f.state = 'open'
      AND r.organization_id = f.organization_id AND r.id = f.last_run_id AND r.release IS NOT NULL`;
}

/** Lets the findings of a reopened pull request wait again that its end has dismissed; not those that a member held back. */
export async function awaitReleaseAgain(
  tx: Tx,
  { organizationId, repositoryId, number }: PullRequestKey,
  now: Date,
): Promise<void> {
  await tx`
    UPDATE review_findings SET withheld_at = NULL, withheld_by_end = false, state = 'open', updated_at = ${now}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${number}
      AND withheld_by_end`;
}
