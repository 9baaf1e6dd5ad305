import type { CallerContext } from '../../../access/caller-context.ts';
import type { OrgScope } from '../../../access/org-scope.ts';
import type { Db } from '../../../db/database.ts';
import type { RepositoryId } from '../../../lib/ids.ts';
import { type ReviewStatus, reviewLists } from './list-definitions.ts';
import { presentReview, type ReviewRow, type StoredReview } from './present-review.ts';
import {
  type MetricsDeps,
  type MetricsFilter,
  type MetricsPageLimits,
  type PagePosition,
  readMetrics,
} from './read-metrics.ts';

async function presentReviews(
  db: Db,
  scope: OrgScope,
  reviews: readonly StoredReview[],
): Promise<ReviewRow[]> {
  const organizationNames = new Map(
    scope.organizations.map(({ organization }) => [organization.id, organization.name]),
  );
  const keys = new Map(reviews.map(({ details }) => [details.repository_id, details]));
  const repositories = await db<{ id: RepositoryId; name: string }[]>`
    SELECT r.id, r.name
    FROM unnest(${[...keys.values()].map(({ organization_id }) => organization_id)}::uuid[], ${[...keys.keys()]}::uuid[])
      AS k (organization_id, id)
    JOIN repositories r USING (organization_id, id)`;
  const repositoryNames = new Map(repositories.map(({ id, name }) => [id, name]));
  return reviews.map((review) =>
    presentReview(review, {
      organization: organizationNames.get(review.details.organization_id) ?? '',
      repository: repositoryNames.get(review.details.repository_id) ?? '',
    }),
  );
}

/** Lists pull requests with the counts of their findings. */
export async function listReviews(
  deps: MetricsDeps,
  context: CallerContext,
  status: ReviewStatus,
  filter: MetricsFilter,
  limits: MetricsPageLimits,
): Promise<{ rows: ReviewRow[]; next: PagePosition | null }> {
  const { entries, next } = await readMetrics(deps, context, reviewLists[status], filter, limits);
  const stored = JSON.parse(`[${entries.take()}]`) as StoredReview[];
  return { rows: await presentReviews(deps.database.sql, context.scope, stored), next };
}
