import type { Tx } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';

/** Which finding: of a pull request, or of the run that a diff was sent to. */
export interface OutcomeKey {
  readonly organizationId: OrganizationId;
  readonly repositoryId: RepositoryId;
  readonly of: { readonly pullRequest: number } | { readonly runId: string };
  readonly findingId: string;
}

/** Shows with a finding whether it was accepted. */
export async function storeOutcome(
  tx: Tx,
  key: OutcomeKey,
  accepted: boolean | null,
  now: Date,
): Promise<void> {
  const { organizationId, repositoryId, of, findingId } = key;
  if ('runId' in of)
    await tx`
      UPDATE review_run_findings SET accepted = ${accepted}
      WHERE organization_id = ${organizationId} AND run_id = ${of.runId} AND finding_id = ${findingId}`;
  else
    await tx`
      UPDATE review_findings SET accepted = ${accepted}, updated_at = ${now}
      WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${of.pullRequest}
        AND finding_id = ${findingId}`;
}

/**
 * Takes a finding as settled by a person, so that later reviews of the pull request do not raise it again; or no longer so,
 * so that the next one decides.
 */
export async function settleFinding(tx: Tx, key: OutcomeKey, isDismissed: boolean, now: Date): Promise<void> {
  const { organizationId, repositoryId, of, findingId } = key;
  if ('runId' in of) return;
  await tx`
    UPDATE review_findings SET state = ${isDismissed ? 'dismissed' : 'open'}, updated_at = ${now}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${of.pullRequest}
      AND finding_id = ${findingId} AND state ${isDismissed ? tx`<> 'dismissed'` : tx`= 'dismissed'`}`;
}
