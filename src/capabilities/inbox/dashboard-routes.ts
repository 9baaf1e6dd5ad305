import type { Database } from '../../db/database.ts';
import { type Endpoint, sessionEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import { countInbox } from './count-inbox.ts';
import { type InboxPosition, listInbox } from './list-inbox.ts';
import {
  inboxPage,
  inboxQuery,
  inboxSummary,
  presentFound,
  presentRow,
  searchAnswer,
  searchQuery,
} from './schemas.ts';
import { searchReviewed } from './search-reviewed.ts';

/** What waits for the person who is signed in, and the search for what reviews are about. */
export function dashboardInboxEndpoints(deps: { readonly database: Database }): Endpoint[] {
  const common = {
    method: 'GET',
    tag: 'Dashboard',
    access: { user: 'own', workspace: 'all_or_one' },
    requires: { plan: 'any', right: 'none' },
  } as const;
  return [
    sessionEndpoint({
      ...common,
      operationId: 'listInbox',
      path: '/dashboard/v1/inbox',
      summary: 'Open pull requests: those that wait for the person, their own, or all',
      query: inboxQuery,
      responses: { 200: { description: 'A page of pull requests', json: inboxPage } },
      async handle(context, { query }) {
        const { limit, cursor, repository_ids, ...chosen } = query;
        const filter = { ...chosen, repositoryIds: repository_ids?.toSorted() };
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          filter,
          cursor,
          (after: InboxPosition | undefined) => listInbox(deps, context, filter, { after, limit }),
        );
        return { json: { data: page.rows.map(presentRow), next_cursor: nextCursor } };
      },
    }),
    sessionEndpoint({
      ...common,
      operationId: 'summariseInbox',
      path: '/dashboard/v1/inbox/summary',
      summary: 'How many open pull requests there are on each tab, and what explains an empty one',
      responses: { 200: { description: 'The numbers', json: inboxSummary } },
      handle: async (context) => ({ json: await countInbox(deps, context) }),
    }),
    sessionEndpoint({
      ...common,
      operationId: 'searchReviewed',
      path: '/dashboard/v1/search',
      summary: 'Pull requests and open findings by a part of their title',
      query: searchQuery,
      responses: { 200: { description: 'What was found, the newest first', json: searchAnswer } },
      handle: async (context, { query }) => ({
        json: presentFound(await searchReviewed(deps, context, query)),
      }),
    }),
  ];
}
