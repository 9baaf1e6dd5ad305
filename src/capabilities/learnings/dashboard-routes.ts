import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { type Endpoint, sessionEndpoint } from '../../http/endpoint.ts';
import { approveLearnings, disapproveLearnings } from './lifecycle/decide-learnings.ts';
import { listPendingLearnings } from './lifecycle/list-pending-learnings.ts';
import { decisionRequest, decisionResult, pendingLearnings } from './schemas.ts';

/** The dashboard's endpoints for Learnings that are pending approval. */
export function dashboardLearningEndpoints(deps: { database: Database }): Endpoint[] {
  const common = {
    tag: 'Dashboard',
    errorBody: 'errors',
    requires: { plan: 'enterprise', right: 'admin' },
  } as const;
  return [
    sessionEndpoint({
      ...common,
      operationId: 'listPendingLearnings',
      method: 'GET',
      path: '/dashboard/v1/learnings/pending',
      summary: 'The Learnings that are pending approval, the most urgent first',
      access: { user: 'own', workspace: 'all_or_one' },
      responses: { 200: { description: 'At most 500', json: pendingLearnings } },
      handle: async (context) => ({ json: { data: await listPendingLearnings(deps, context) } }),
    }),
    sessionEndpoint({
      ...common,
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
