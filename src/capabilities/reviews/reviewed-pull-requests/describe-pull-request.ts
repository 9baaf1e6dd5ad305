import type { Db } from '../../../db/database.ts';
import type { PullRequestExtras } from '../../connections/reading/pull-request-event.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { findReportedFindings } from './following/known-finding-store.ts';

/** What reviews add to the metrics of a pull request; null if it was not reviewed. */
export async function describePullRequest(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
): Promise<PullRequestExtras | null> {
  const [run] = await db<Omit<PullRequestExtras, 'findings'>[]>`
    SELECT r.estimated_complexity AS "estimatedComplexity", r.estimated_review_minutes AS "estimatedReviewMinutes"
    FROM reviewed_pull_requests p JOIN review_runs r ON r.organization_id = p.organization_id AND r.id = p.reviewed_run_id
    WHERE p.organization_id = ${organizationId} AND p.repository_id = ${repositoryId} AND p.number = ${number}`;
  if (run === undefined) return null;
  const findings = await findReportedFindings(db, { organizationId, repositoryId, number });
  return { ...run, findings };
}
