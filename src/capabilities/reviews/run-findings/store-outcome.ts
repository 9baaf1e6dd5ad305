import type { Tx } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { refreshStates } from '../attention/rule-store.ts';

/** Identifies a finding: of a pull request, or of the run of a sent diff. */
export interface OutcomeKey {
  readonly organizationId: OrganizationId;
  readonly repositoryId: RepositoryId;
  readonly of: { readonly pullRequest: number } | { readonly runId: string };
  readonly findingId: string;
}

/**
 * Stores with a finding whether it was accepted, and how often such lines change anyway, commented on or not; its rules count
 * it.
 */
export async function storeOutcome(
  tx: Tx,
  key: OutcomeKey,
  { accepted, chance }: { readonly accepted: boolean | null; readonly chance: number | null },
  now: Date,
): Promise<void> {
  const { organizationId, repositoryId, of, findingId } = key;
  const [stored] =
    'runId' in of
      ? await tx<{ rules: string[] | null }[]>`
          UPDATE review_run_findings SET accepted = ${accepted}
          WHERE organization_id = ${organizationId} AND run_id = ${of.runId} AND finding_id = ${findingId} RETURNING rules`
      : await tx<{ rules: string[] | null }[]>`
          UPDATE review_findings SET accepted = ${accepted}, chance = ${chance}, updated_at = ${now}
          WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${of.pullRequest}
            AND finding_id = ${findingId} RETURNING rules`;
  if (stored?.rules?.length) await refreshStates(tx, organizationId, now, stored.rules);
}

/**
 * Marks a finding as dismissed by a person, so that later reviews of the pull request do not raise it again; or takes that
 * back, so that the next review decides.
 */
export async function settleFinding(tx: Tx, key: OutcomeKey, isDismissed: boolean, now: Date): Promise<void> {
  const { organizationId, repositoryId, of, findingId } = key;
  if ('runId' in of) return;
  await tx`
    UPDATE review_findings SET state = ${isDismissed ? 'dismissed' : 'open'}, updated_at = ${now}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${of.pullRequest}
      AND finding_id = ${findingId} AND state ${isDismissed ? tx`<> 'dismissed'` : tx`= 'dismissed'`}`;
}
