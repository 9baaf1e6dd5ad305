import type { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { type Endpoint, type KeyContext, type SessionAccess, sessionEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import { changeSettings, type RepositoryPosition, readSettings } from './organization-settings.ts';
import { organizationSettings, settingsChange, settingsQuery } from './schemas.ts';

const access: SessionAccess = { user: 'own', workspace: 'forbidden' };

type SettingsPage = Awaited<ReturnType<typeof readSettings>>;

/** The settings, with the cursor for the next page of repositories. */
async function settingsReply(
  { cursors }: Pick<KeyContext, 'cursors'>,
  { cursor, ...filters }: z.output<typeof settingsQuery>,
  read: (after: RepositoryPosition | undefined) => Promise<SettingsPage>,
) {
  const { page, nextCursor } = await readOnePage(cursors, filters, cursor, read);
  const { next: _, ...settings } = page;
  return { json: { ...settings, next_cursor: nextCursor } };
}

/** The dashboard's endpoints for the settings of an organization. */
export function dashboardSettingsEndpoints(deps: { database: Database }): Endpoint[] {
  return [
    sessionEndpoint({
      operationId: 'readSettings',
      method: 'GET',
      path: '/dashboard/v1/settings',
      tag: 'Dashboard',
      summary: 'The settings of the organization and its repositories',
      access,
      requires: { plan: 'any', right: 'organization_management:read' },
      responses: { 200: { description: 'The settings', json: organizationSettings } },
      query: settingsQuery,
      handle: (context, { query }) =>
        settingsReply(context, query, (after) =>
          readSettings(deps, context, { after, search: query.search, ids: query.repository_ids }),
        ),
    }),
    sessionEndpoint({
      operationId: 'changeSettings',
      method: 'PATCH',
      path: '/dashboard/v1/settings',
      tag: 'Dashboard',
      summary: 'Change settings of the organization and its repositories',
      access,
      requires: { plan: 'any', right: 'organization_management:write' },
      body: settingsChange,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'The settings as they are now', json: organizationSettings } },
      handle: (context, { body }) => settingsReply(context, {}, () => changeSettings(deps, context, body)),
    }),
  ];
}
