import { onlyOrganization } from '../../../../access/org-scope.ts';
import { type Endpoint, sessionEndpoint } from '../../../../http/endpoint.ts';
import type { HostDeps } from '../../../connections/open-host.ts';
import { compareRuns } from './compare-runs.ts';
import { findShown } from './find-shown.ts';
import { listRuns } from './list-runs.ts';
import { readConversation } from './read-conversation.ts';
import {
  comparedPath,
  conversation,
  presentComparison,
  presentConversation,
  presentPullRequest,
  pullRequestPath,
  runComparison,
  runTitles,
  shownPullRequest,
  titledRunsQuery,
} from './schemas.ts';
import { titleRuns } from './title-runs.ts';

const path = '/dashboard/v1/pull-requests/{repository_id}/{number}';
const readsCode = 'repository_management:read';

/** The endpoints of the dashboard's page about a pull request, apart from its reviews and its code. */
export function dashboardPullRequestEndpoints(deps: HostDeps): Endpoint[] {
  const common = {
    method: 'GET',
    tag: 'Dashboard',
    access: { user: 'own', workspace: 'one' },
    errors: ['NOT_FOUND'],
  } as const;
  return [
    sessionEndpoint({
      ...common,
      operationId: 'showPullRequest',
      path,
      summary: 'A pull request with its reviews over time',
      requires: { plan: 'any', right: 'none' },
      params: pullRequestPath,
      responses: { 200: { description: 'The pull request', json: shownPullRequest } },
      async handle(context, { params }) {
        const reference = { repositoryId: params.repository_id, number: params.number };
        const { organization, rights } = onlyOrganization(context.scope);
        const pull = await findShown(deps, context, reference);
        const mayReadCode = rights.isAdmin || (pull.isReader && rights.permissions.has(readsCode));
        const key = {
          organizationId: organization.id,
          repositoryId: pull.repositoryKey,
          number: params.number,
        };
        const runs = await listRuns(deps.database.sql, key);
        return { json: presentPullRequest(reference, pull, mayReadCode, runs) };
      },
    }),
    sessionEndpoint({
      ...common,
      operationId: 'listReviewTitles',
      path: '/dashboard/v1/review-titles',
      summary: 'What the pull requests of reviews are called, as far as that is known',
      requires: { plan: 'any', right: 'none' },
      query: titledRunsQuery,
      errors: [],
      responses: { 200: { description: 'The titles', json: runTitles } },
      handle: async (context, { query }) => ({ json: { data: await titleRuns(deps, context, query.runs) } }),
    }),
    sessionEndpoint({
      ...common,
      operationId: 'readPullRequestConversation',
      path: `${path}/conversation`,
      summary: 'What was said on a pull request, as its host has it now',
      requires: { plan: 'any', right: readsCode },
      params: pullRequestPath,
      errors: ['NOT_FOUND', 'CONNECTION_REFUSED'],
      responses: { 200: { description: 'Comments and threads, at most 200 each', json: conversation } },
      async handle(context, { params }) {
        const reference = { repositoryId: params.repository_id, number: params.number };
        const said = await readConversation(deps, context, reference);
        return { headers: { 'cache-control': 'no-store' }, json: presentConversation(said) };
      },
    }),
    sessionEndpoint({
      ...common,
      operationId: 'compareReview',
      path: '/dashboard/v1/reviews/{id}/comparison',
      summary: 'What changed since the review of the same pull request before this one',
      requires: { plan: 'any', right: 'none' },
      params: comparedPath,
      responses: { 200: { description: 'New, gone and kept findings', json: runComparison } },
      handle: async (context, { params }) => ({
        json: presentComparison(await compareRuns(deps, context, params.id)),
      }),
    }),
  ];
}
