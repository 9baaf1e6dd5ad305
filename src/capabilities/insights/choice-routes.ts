import { type Endpoint, sessionEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import type { ErrorCode } from '../../lib/app-error.ts';
import { listChoices } from './choices/list-choices.ts';
import { nameChosen } from './choices/name-chosen.ts';
import { filterOf } from './filter-of-query.ts';
import type { InsightDeps } from './measures/insight-deps.ts';
import { choicePage, choiceQuery, chosenNames, chosenQuery } from './schemas.ts';

/** The dashboard's endpoints for choosing what to filter by, among thousands. */
export function choiceEndpoints(deps: InsightDeps, errors: readonly ErrorCode[]): Endpoint[] {
  const common = {
    method: 'GET',
    tag: 'Dashboard',
    access: { user: 'own', workspace: 'all_or_one' },
    requires: { plan: 'enterprise', right: 'none' },
    errors,
  } as const;
  return [
    sessionEndpoint({
      ...common,
      operationId: 'listInsightChoices',
      path: '/dashboard/v1/insights/choices',
      summary: 'Repositories, authors, teams or reviewers that occur in the window, by name',
      query: choiceQuery,
      responses: { 200: { description: 'A page of choices', json: choicePage } },
      async handle(context, { query }) {
        const { limit, cursor, ...filters } = query;
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          filters,
          cursor,
          (after: number | undefined) => listChoices(deps, context, filterOf(query), query, { after, limit }),
        );
        return { json: { data: page.rows, next_cursor: nextCursor } };
      },
    }),
    sessionEndpoint({
      ...common,
      operationId: 'nameInsightChoices',
      path: '/dashboard/v1/insights/names',
      summary: 'The names of what filters are set to',
      query: chosenQuery,
      responses: { 200: { description: 'Names by id', json: chosenNames } },
      handle: async (context, { query }) => ({
        json: await nameChosen(deps, context, {
          repositoryIds: query.repository_ids,
          authorIds: query.author_ids,
          teamIds: query.team_ids,
        }),
      }),
    }),
  ];
}
