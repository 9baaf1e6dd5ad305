import type { Db } from '../../db/database.ts';
import type { PullRequestExtras } from '../connections/reading/pull-request-event.ts';
import type { PullRequestKey } from '../pull-requests/pull-request-state.ts';

/** Adds the findings of other reviewers to what is known about a pull request; null if nothing is. */
export async function withOtherReviewers(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
  own: PullRequestExtras | null,
): Promise<PullRequestExtras | null> {
  const others = await db<PullRequestExtras['findings'][number][]>`
    SELECT finding_id AS "findingId", url, severity, category FROM followed_findings
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${number}
      AND reviewer IS NOT NULL
    ORDER BY posted_at, finding_id`;
  if (others.length === 0) return own;
  const { estimatedComplexity = null, estimatedReviewMinutes = null, findings = [] } = own ?? {};
  return { estimatedComplexity, estimatedReviewMinutes, findings: [...findings, ...others] };
}
