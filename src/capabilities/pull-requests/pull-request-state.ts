import type { Db } from '../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../lib/ids.ts';

/** Identifies one pull request. */
export interface PullRequestKey {
  readonly organizationId: OrganizationId;
  readonly repositoryId: RepositoryId;
  readonly number: number;
}

export type PullRequestState = 'open' | 'merged' | 'closed';

/** The state that the newest event about a pull request reported, and the time of that event. */
export interface ReportedState {
  readonly state: PullRequestState;
  readonly eventTime: Date;
}

/** The newest reported state of each pull request, in the order of the keys; null if the pull request is unknown. */
export async function findPullRequestStates(
  db: Db,
  keys: readonly PullRequestKey[],
): Promise<(ReportedState | null)[]> {
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
