import type { Database } from '../../db/database.ts';
import { type Endpoint, type SessionAccess, sessionEndpoint } from '../../http/endpoint.ts';
import { changeSettings, readSettings } from './organization-settings.ts';
import { organizationSettings, settingsChange } from './schemas.ts';

const access: SessionAccess = { user: 'own', workspace: 'forbidden' };

/** The dashboard's endpoints for the settings of an organization. */
export function dashboardOrganizationEndpoints(deps: { database: Database }): Endpoint[] {
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
      handle: async (context) => ({ json: await readSettings(deps, context) }),
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
      handle: async (context, { body }) => ({ json: await changeSettings(deps, context, body) }),
    }),
  ];
}
