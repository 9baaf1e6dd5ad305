import { Readable } from 'node:stream';
import { type Endpoint, sessionEndpoint } from '../../../http/endpoint.ts';
import { runWatcher, type WatchDeps, type WatchEvent } from '../runs/watching/watch-runs.ts';
import { watchedRuns } from './schemas.ts';

/** Formats server-sent events: `progress` for each change, a comment as a heartbeat, and `end` when nothing more will come. */
function asEvent(event: WatchEvent): string {
  if (event === 'heartbeat') return ': alive\n\n';
  return event === 'end' ? 'event: end\ndata: {}\n\n' : `event: progress\ndata: ${JSON.stringify(event)}\n\n`;
}

/** The endpoints that only the dashboard's pages about reviews request. */
export function dashboardReviewEndpoints(deps: WatchDeps): Endpoint[] {
  const watchRuns = runWatcher(deps);
  return [
    sessionEndpoint({
      operationId: 'watchReviews',
      method: 'GET',
      path: '/dashboard/v1/review-progress',
      tag: 'Dashboard',
      summary: 'Follow reviews until they have ended',
      access: { user: 'own', workspace: 'one' },
      requires: { plan: 'any', right: 'none' },
      query: watchedRuns,
      errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
      responses: {
        200: {
          description: 'Server-sent events, until all of them have ended',
          content: ['text/event-stream'],
        },
      },
      handle: async (context, { query: { runs } }) => ({
        headers: { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' },
        content: {
          type: 'text/event-stream; charset=utf-8',
          bytes: Readable.from(await watchRuns(context, runs)).map(asEvent),
        },
      }),
    }),
  ];
}
