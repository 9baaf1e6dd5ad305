import type { Tx } from '../../../../db/database.ts';
import { shownPath } from '../../../../redaction/shown-path.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import { announce, isAnyoneListening } from '../../../webhooks/announce.ts';

const type = 'postil.finding.posted';

/** Announces findings that now are comments on their pull request. */
export async function announcePosted(
  tx: Tx,
  { organizationId, repositoryId, number }: PullRequestKey,
  findingIds: readonly string[],
  now: Date,
): Promise<void> {
  if (findingIds.length === 0 || !(await isAnyoneListening(tx, [organizationId], [type]))) return;
  const findings = await tx<{ finding_id: string; path: string }[]>`
    SELECT f.finding_id, p.provider_repository_id AS repository_id, f.pull_request, f.last_run_id AS review_id, f.path, f.side,
      f.start_line, f.end_line, f.severity, f.category, f.title, f.body, f.suggestion,
      jsonb_build_object('kind', f.source_kind, 'name', f.source_name) AS source, f.learning_ids, f.url, f.state, f.accepted
    FROM review_findings f JOIN repositories p ON p.organization_id = f.organization_id AND p.id = f.repository_id
    WHERE f.organization_id = ${organizationId} AND f.repository_id = ${repositoryId} AND f.pull_request = ${number}
      AND f.finding_id = ANY(${[...findingIds]}::text[])
    ORDER BY f.finding_id`;
  await announce(
    tx,
    now,
    findings.map((data) => ({
      organizationId,
      type,
      // As for changes of its outcome, so that these follow in order.
      subject: `findings/pull/${number}/${data.finding_id}`,
      data: { ...data, path: shownPath(data.path) },
    })),
  );
}
