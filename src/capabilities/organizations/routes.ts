import type { KeyAccess } from '../../access/access-rule.ts';
import type { Database } from '../../db/database.ts';
import { type Endpoint, keyEndpoint } from '../../http/endpoint.ts';
import { readFixedSizePage } from '../../http/paging.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { describeCaller } from './describe-caller.ts';
import { listOrganizations } from './list-organizations.ts';
import { listRepositories } from './list-repositories.ts';
import {
  callerDescription,
  organizationPage,
  organizationPath,
  pageQuery,
  repositoryPage,
} from './schemas.ts';
import type { NamePosition } from './store.ts';

const defaultLimit = 100;

const inventoryAccess: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'all',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'forbidden',
};
const anyKey: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'all',
  instance: 'all',
  legacy: 'own',
  agentic: 'own',
};

/** The inventory of organizations and repositories, and who the caller is. */
export function organizationEndpoints(deps: { database: Database }): Endpoint[] {
  return [
    keyEndpoint({
      operationId: 'listOrganizations',
      method: 'GET',
      path: '/v1/organizations',
      tag: 'Organizations',
      summary: 'List the active organizations that the key can see',
      description:
        'Ordered by name, then id. The cursor keeps the page size of the first request: `limit` may be omitted on later pages, or must be the same.',
      access: inventoryAccess,
      requires: { plan: 'enterprise', right: 'organization_management:read' },
      limit: { bucket: 'organizations', perMinute: 10, per: 'tenant' },
      query: pageQuery,
      responses: { 200: { description: 'A page of organizations', json: organizationPage } },
      async handle(context, { query }) {
        const { page, nextCursor } = await readFixedSizePage(
          context.cursors,
          null,
          query,
          defaultLimit,
          async (after: NamePosition | undefined, limit) => listOrganizations(context, { after, limit }),
        );
        return { json: { organizations: page.organizations, next_cursor: nextCursor } };
      },
    }),
    keyEndpoint({
      operationId: 'listRepositories',
      method: 'GET',
      path: '/v1/organizations/{organization_id}/repositories',
      tag: 'Organizations',
      summary: 'List the active repositories of an organization',
      description: '`organization_id` is the `id` from GET /v1/organizations, not the Git provider id.',
      access: inventoryAccess,
      requires: { plan: 'enterprise', right: 'organization_management:read' },
      limit: { bucket: 'repositories', perMinute: 10, per: 'tenant' },
      params: organizationPath,
      query: pageQuery,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'A page of repositories', json: repositoryPage } },
      async handle(context, { params, query }) {
        const organizationId = params.organization_id as OrganizationId;
        const { page, nextCursor } = await readFixedSizePage(
          context.cursors,
          organizationId,
          query,
          defaultLimit,
          (after: NamePosition | undefined, limit) =>
            listRepositories(deps, context, organizationId, { after, limit }),
        );
        return { json: { repositories: page.repositories, next_cursor: nextCursor } };
      },
    }),
    keyEndpoint({
      operationId: 'describeCaller',
      method: 'GET',
      path: '/v1/me',
      tag: 'Organizations',
      summary: 'Who the key belongs to and what it may do',
      access: anyKey,
      requires: { plan: 'any', right: 'none' },
      limit: { bucket: 'me', perMinute: 60, per: 'tenant' },
      responses: { 200: { description: 'The caller', json: callerDescription } },
      handle: async (context) => ({ json: describeCaller(context) }),
    }),
  ];
}
