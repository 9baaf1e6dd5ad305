import type { Db } from '../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../lib/ids.ts';

/** Names one pull request. */
export interface PullRequestKey {
  readonly organizationId: OrganizationId;
  readonly repositoryId: RepositoryId;
  readonly number: number;
}

export type PullRequestState = 'open' | 'merged' | 'closed';

/** What the newest event about a pull request said, and when. */
export interface KnownPullRequest {
  readonly state: PullRequestState;
  readonly eventTime: Date;
}

/** What is known of each pull request, by the newest event about it; in the order of the keys, null if unknown. */
export async function knownPullRequests(
  db: Db,
  keys: readonly PullRequestKey[],
): Promise<(KnownPullRequest | null)[]> {
  if (keys.length === 0) return [];
  const rows = await db<{ position: number; state: PullRequestState; event_time: Date }[]>`
    SELECT k.position, p.state, p.event_time
    FROM unnest(${keys.map((key) => key.organizationId)}::uuid[], ${keys.map((key) => key.repositoryId)}::uuid[],
      ${keys.map((key) => key.number)}::int[]) WITH ORDINALITY AS k (organization_id, repository_id, number, position)
    JOIN pull_requests p USING (organization_id, repository_id, number)`;
  const byPosition = new Map(
    rows.map(({ position, state, event_time }) => [Number(position), { state, eventTime: event_time }]),
  );
  return keys.map((_, index) => byPosition.get(index + 1) ?? null);
}
