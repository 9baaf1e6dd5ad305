import type { Tx } from '../../../db/database.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';

/** Pauses or resumes the automatic reviews of a pull request; false if that changes nothing. */
export async function pauseReviews(
  tx: Tx,
  { organizationId, repositoryId, number }: PullRequestKey,
  paused: { readonly by: string; readonly at: Date } | null,
): Promise<boolean> {
  const changed = await tx`
    UPDATE reviewed_pull_requests SET paused_at = ${paused?.at ?? null}, paused_by = ${paused?.by ?? null}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}
      AND (paused_at IS NULL) = ${paused !== null} RETURNING 1`;
  return changed.length > 0;
}
