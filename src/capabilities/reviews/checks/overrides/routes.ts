import type { KeyAccess } from '../../../../access/access-rule.ts';
import type { Database } from '../../../../db/database.ts';
import { type Endpoint, keyEndpoint } from '../../../../http/endpoint.ts';
import { readOnePage } from '../../../../http/paging.ts';
import { listOverrides, type OverrideFilter, type OverridePosition } from './list-overrides.ts';
import { overridePage, overridesQuery, presentOverride } from './schemas.ts';

const access: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'one',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'own',
};

/** The endpoints for overridden checks. */
export function overrideEndpoints(deps: { readonly database: Database }): Endpoint[] {
  return [
    keyEndpoint({
      operationId: 'listCheckOverrides',
      method: 'GET',
      path: '/v1/reviews/overrides',
      tag: 'Reviews',
      summary: 'List the checks before the merge that admins overrode, newest first',
      description:
        'An admin overrides one check on one pull request with a comment, `@<account> override <check> <reason>`. The override ' +
        'ends with the next commit, but stays in this list.',
      access,
      requires: { plan: 'any', right: 'none' },
      limit: { bucket: 'reviews-read', perMinute: 600, per: 'key' },
      query: overridesQuery,
      responses: { 200: { description: 'A page of overrides', json: overridePage } },
      async handle(context, { query }) {
        const filter: OverrideFilter = {
          check: query.check,
          repositoryIds: query.repository_ids?.toSorted(),
          startDate: query.start_date,
          endDate: query.end_date,
        };
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          filter,
          query.cursor,
          (after: OverridePosition | undefined) =>
            listOverrides(deps, context, filter, { after, limit: query.limit }),
        );
        return { json: { data: page.overrides.map(presentOverride), next_cursor: nextCursor } };
      },
    }),
  ];
}
