import type { OrgScope } from '../../access/org-scope.ts';
import type { Db } from '../../db/database.ts';
import { csvReply, writeCsv } from '../../http/csv.ts';
import type { KeyContext, Reply } from '../../http/endpoint.ts';
import { jsonPageReply } from '../../http/json-page.ts';
import type { RepositoryId } from '../../lib/ids.ts';
import { type MetricsDeps, readMetrics, type WindowQuery } from './list-metrics.ts';
import { type ReviewStatus, reviewLists } from './metric-list.ts';
import { presentReview, type ReviewRow, reviewColumns, type StoredReview } from './review-row.ts';

export interface ReviewsQuery extends WindowQuery {
  readonly status?: ReviewStatus | undefined;
  readonly format?: 'json' | 'csv' | undefined;
}

async function presentAll(db: Db, scope: OrgScope, reviews: readonly StoredReview[]): Promise<ReviewRow[]> {
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

/** Lists pull requests with the counts of their findings, as JSON or CSV. */
export async function listReviews(
  deps: MetricsDeps,
  context: KeyContext,
  query: ReviewsQuery,
): Promise<Reply> {
  const status = query.status ?? 'merged';
  const { rows, nextCursor } = await readMetrics(
    deps,
    context,
    reviewLists[status],
    query,
    { status },
    async (db, { entries, nextCursor }) => ({
      rows: await presentAll(db, context.scope, JSON.parse(`[${entries.take()}]`) as StoredReview[]),
      nextCursor,
    }),
  );
  return query.format === 'csv'
    ? csvReply(await writeCsv(reviewColumns, rows), context.raw.url ?? '', nextCursor)
    : jsonPageReply(
        rows.map((row) => JSON.stringify(row)),
        nextCursor,
      );
}
