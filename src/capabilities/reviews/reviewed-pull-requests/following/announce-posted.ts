import type { Tx } from '../../../../db/database.ts';
import { presentFinding } from '../../../../reviewer/review/present-result.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import { announce, isAnyoneListening } from '../../../webhooks/announce.ts';
import { findingColumns } from '../../run-findings/finding-columns.ts';
import type { RunFinding } from '../../runs/run-record.ts';

const type = 'postil.finding.posted';

/** Announces findings that were posted as comments on their pull request. */
export async function announcePosted(
  tx: Tx,
  { organizationId, repositoryId, number }: PullRequestKey,
  findingIds: readonly string[],
  now: Date,
): Promise<void> {
  if (findingIds.length === 0 || !(await isAnyoneListening(tx, [organizationId], [type]))) return;
  const findings = await tx<(RunFinding & { repositoryId: string; reviewId: string })[]>`
    SELECT ${findingColumns(tx)}, p.provider_repository_id AS "repositoryId", f.last_run_id AS "reviewId", f.url, f.state, f.accepted
    FROM review_findings f JOIN repositories p ON p.organization_id = f.organization_id AND p.id = f.repository_id
    WHERE f.organization_id = ${organizationId} AND f.repository_id = ${repositoryId} AND f.pull_request = ${number}
      AND f.finding_id = ANY(${[...findingIds]}::text[])
    ORDER BY f.finding_id`;
  await announce(
    tx,
    now,
    findings.map((finding) => ({
      organizationId,
      type,
      // The same subject as for changes of the outcome, so that receivers get these in order.
      subject: `findings/pull/${number}/${finding.identity}`,
      data: {
        ...presentFinding(finding, finding),
        repository_id: finding.repositoryId,
        pull_request: number,
        review_id: finding.reviewId,
      },
    })),
  );
}
