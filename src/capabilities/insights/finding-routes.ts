import { type Endpoint, sessionEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import { presentSignal, type SignalPageRange } from '../findings/list-signals.ts';
import type { ReportDeps } from '../findings/outcomes/report-outcomes.ts';
import { judgeComment, listCommentSignals } from './pull-request/judge-comment.ts';
import { commentPath, commentSignalPage, commentSignalsQuery, commentWord } from './schemas.ts';

const path = '/dashboard/v1/insights/pull-requests/{repository_id}/{number}/comments/{finding_id}';

/** The dashboard's endpoints for a person's verdict on a comment of any reviewer, and for its evidence. */
export function pullRequestFindingEndpoints(deps: ReportDeps): Endpoint[] {
  const common = {
    tag: 'Dashboard',
    access: { user: 'own', workspace: 'one' },
    requires: { plan: 'enterprise', right: 'none' },
    params: commentPath,
    errors: ['METRICS_UNAVAILABLE', 'METRICS_PREPARING', 'NOT_FOUND'],
  } as const;
  return [
    sessionEndpoint({
      ...common,
      operationId: 'judgeInsightComment',
      method: 'PATCH',
      path,
      summary: 'Say whether a comment was accepted',
      body: commentWord,
      responses: { 204: { description: 'It counts' } },
      async handle(context, { params, body }) {
        const { repository_id: repositoryId, number, finding_id: findingId } = params;
        await judgeComment(deps, context, { repositoryId, number, findingId }, body.accepted);
        return { status: 204 };
      },
    }),
    sessionEndpoint({
      ...common,
      operationId: 'listInsightCommentSignals',
      method: 'GET',
      path: `${path}/signals`,
      summary: 'Why `accepted` of a comment is what it is, newest first',
      query: commentSignalsQuery,
      responses: { 200: { description: 'A page of signals', json: commentSignalPage } },
      async handle(context, { params, query }) {
        const { repository_id: repositoryId, number, finding_id: findingId } = params;
        const reference = { repositoryId, number, findingId };
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          reference,
          query.cursor,
          (after: SignalPageRange['after']) =>
            listCommentSignals(deps, context, reference, { after, limit: query.limit }),
        );
        return { json: { data: page.signals.map(presentSignal), next_cursor: nextCursor } };
      },
    }),
  ];
}
