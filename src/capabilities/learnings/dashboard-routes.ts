import { onlyOrganization } from '../../access/org-scope.ts';
import { type Endpoint, sessionEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import { type CitingPosition, listCiting } from './board/list-citing.ts';
import { searchUsage, type UsagePosition } from './board/search-usage.ts';
import { summariseUsage } from './board/summarise-usage.ts';
import type { IndexDeps } from './indexing/index-learnings.ts';
import { approveLearnings, disapproveLearnings } from './lifecycle/decide-learnings.ts';
import { listPendingLearnings, type PendingPosition } from './lifecycle/list-pending-learnings.ts';
import {
  citingPage,
  citingQuery,
  decisionRequest,
  decisionResult,
  learning,
  learningPath,
  mergeRequest,
  pairRequest,
  pendingPage,
  pendingQuery,
  retirementRequest,
  retirementResult,
  usagePage,
  usageQuery,
  usageSummary,
} from './schemas.ts';
import { mergeLearnings } from './upkeep/merge-learnings.ts';
import { changeRetirement } from './upkeep/retire-learnings.ts';
import { tellApart } from './upkeep/tell-apart.ts';

const common = { tag: 'Dashboard', errorBody: 'errors' } as const;

/** The endpoints for the effect of Learnings, and for those that need attention. */
function boardEndpoints(deps: IndexDeps): Endpoint[] {
  const reading = {
    ...common,
    requires: { plan: 'enterprise', right: 'none' },
    access: { user: 'own', workspace: 'all_or_one' },
  } as const;
  return [
    sessionEndpoint({
      ...reading,
      operationId: 'searchLearningUsage',
      method: 'GET',
      path: '/dashboard/v1/learnings/usage',
      summary: 'Search the Learnings, with how they are used and whether they are followed',
      query: usageQuery,
      responses: { 200: { description: 'A page of Learnings', json: usagePage } },
      async handle(context, { query }) {
        const { limit, cursor, search, health, sort } = query;
        const wanted = { search, repositoryId: query.repository_id, health, sort };
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          wanted,
          cursor,
          (after: UsagePosition | undefined) => searchUsage(deps, context, wanted, { after, limit }),
        );
        return { json: { data: page.data, next_cursor: nextCursor } };
      },
    }),
    sessionEndpoint({
      ...reading,
      operationId: 'summariseLearningUsage',
      method: 'GET',
      path: '/dashboard/v1/learnings/health',
      summary: 'Count the Learnings that are used, unused, followed and contradicted',
      responses: { 200: { description: 'The counts', json: usageSummary } },
      handle: async (context) => ({ json: await summariseUsage(deps, context) }),
    }),
    sessionEndpoint({
      ...reading,
      operationId: 'listFindingsCitingLearning',
      method: 'GET',
      path: '/dashboard/v1/learnings/{learning_id}/findings',
      summary: 'The findings that cite a Learning, the newest first',
      params: learningPath,
      query: citingQuery,
      responses: { 200: { description: 'A page of findings', json: citingPage } },
      async handle(context, { params, query: { limit, cursor } }) {
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          params,
          cursor,
          (after: CitingPosition | undefined) =>
            listCiting(deps, context, params.learning_id, { after, limit }),
        );
        const data = page.rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
        return { json: { data, next_cursor: nextCursor } };
      },
    }),
  ];
}

/** The endpoints to merge and retire Learnings. */
function upkeepEndpoints(deps: IndexDeps): Endpoint[] {
  const writing = {
    ...common,
    method: 'POST',
    requires: { plan: 'enterprise', right: 'learning:write' },
    access: { user: 'own', workspace: 'one' },
  } as const;
  return [
    sessionEndpoint({
      ...writing,
      operationId: 'changeLearningRetirement',
      path: '/dashboard/v1/learnings/retirements',
      summary: 'Retire Learnings, so that no review follows them, or bring retired ones back',
      body: retirementRequest,
      responses: { 200: { description: 'The outcome of each', json: retirementResult } },
      handle: async (context, { body: { action, ids } }) => ({
        json: { results: await changeRetirement(deps, context, action, ids) },
      }),
    }),
    sessionEndpoint({
      ...writing,
      operationId: 'mergeLearnings',
      path: '/dashboard/v1/learnings/merges',
      summary: 'Merge two Learnings of a repository: one stays with the uses of both, the other is retired',
      body: mergeRequest,
      errors: ['NOT_FOUND', 'CONFLICT'],
      responses: { 200: { description: 'The one that stays', json: learning } },
      handle: async (context, { body }) => ({
        json: await mergeLearnings(deps, context, {
          keptId: body.kept_id,
          retiredId: body.retired_id,
          text: body.learning,
        }),
      }),
    }),
    sessionEndpoint({
      ...writing,
      operationId: 'tellLearningsApart',
      path: '/dashboard/v1/learnings/told-apart',
      summary: 'Say that two Learnings that were found alike are both right',
      body: pairRequest,
      responses: { 204: { description: 'They are no longer shown as a pair' } },
      async handle(context, { body }) {
        await tellApart(deps, context, body.ids);
        return { status: 204 };
      },
    }),
  ];
}

/** The endpoints for Learnings that are pending approval, and for decisions about them. */
function approvalEndpoints(deps: IndexDeps): Endpoint[] {
  const deciding = { ...common, requires: { plan: 'enterprise', right: 'admin' } } as const;
  return [
    sessionEndpoint({
      ...deciding,
      operationId: 'listPendingLearnings',
      method: 'GET',
      path: '/dashboard/v1/learnings/pending',
      summary: 'The Learnings that are pending approval, the most urgent first',
      access: { user: 'own', workspace: 'all_or_one' },
      query: pendingQuery,
      responses: { 200: { description: 'A page of Learnings', json: pendingPage } },
      async handle(context, { query: { limit, cursor } }) {
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          {},
          cursor,
          (after: PendingPosition | undefined) => listPendingLearnings(deps, context, { after, limit }),
        );
        return { json: { data: page.data, total: page.total, next_cursor: nextCursor } };
      },
    }),
    sessionEndpoint({
      ...deciding,
      operationId: 'decideLearnings',
      method: 'POST',
      path: '/dashboard/v1/learnings/decisions',
      summary: 'Approve or disapprove several Learnings at once',
      access: { user: 'own', workspace: 'one' },
      body: decisionRequest,
      responses: { 200: { description: 'The outcome of each', json: decisionResult } },
      async handle(context, { body }) {
        const decide = body.decision === 'approved' ? approveLearnings : disapproveLearnings;
        const { organization } = onlyOrganization(context.scope);
        return { json: { results: await decide(deps, context, organization.id, body.ids) } };
      },
    }),
  ];
}

/** The dashboard's endpoints for the effect of Learnings, their upkeep, and those that are pending approval. */
export function dashboardLearningEndpoints(deps: IndexDeps): Endpoint[] {
  return [...boardEndpoints(deps), ...upkeepEndpoints(deps), ...approvalEndpoints(deps)];
}
