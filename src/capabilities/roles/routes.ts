import { oneOrganization } from '../../access/access-rule.ts';
import { accessTypes, resources } from '../../access/permissions.ts';
import type { Database } from '../../db/database.ts';
import { type Endpoint, keyEndpoint } from '../../http/endpoint.ts';
import { createRole } from './create-role.ts';
import { deleteRole } from './delete-role.ts';
import { listRoles, readRole } from './list-roles.ts';
import {
  newRole,
  permissionCatalog,
  role,
  roleChange,
  roleList,
  roleListQuery,
  rolePath,
  roleQuery,
} from './schemas.ts';
import { updateRole } from './update-role.ts';

const limit = { bucket: 'roles', perMinute: 60, per: 'tenant' } as const;
const readRequirement = { plan: 'enterprise', right: 'role_management:read' } as const;
const writeRequirement = { plan: 'enterprise', right: 'admin' } as const;

/** Built-in and custom roles of an organization. */
export function roleEndpoints(deps: { database: Database }): Endpoint[] {
  const common = { tag: 'Roles', access: oneOrganization, limit };
  return [
    keyEndpoint({
      ...common,
      operationId: 'listRoles',
      method: 'GET',
      path: '/v1/roles',
      summary: 'List the roles of an organization',
      description: 'The built-in roles first, then the custom ones by name.',
      requires: readRequirement,
      query: roleListQuery,
      responses: { 200: { description: 'The roles', json: roleList } },
      handle: async ({ scope }, { query }) => ({ json: await listRoles(deps.database.sql, scope, query) }),
    }),
    keyEndpoint({
      ...common,
      operationId: 'listPermissions',
      method: 'GET',
      path: '/v1/roles/permissions',
      summary: 'List the resources and access types that a role can grant',
      requires: readRequirement,
      responses: { 200: { description: 'Resources and access types', json: permissionCatalog } },
      handle: async () => ({ json: { resource_ids: resources, access_types: accessTypes } }),
    }),
    keyEndpoint({
      ...common,
      operationId: 'readRole',
      method: 'GET',
      path: '/v1/roles/{role_id}',
      summary: 'Get one role with its permissions and user count',
      requires: readRequirement,
      params: rolePath,
      query: roleQuery,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'The role', json: role } },
      handle: async ({ scope }, { params, query }) => ({
        json: await readRole(deps.database.sql, scope, params.role_id, query),
      }),
    }),
    keyEndpoint({
      ...common,
      operationId: 'createRole',
      method: 'POST',
      path: '/v1/roles',
      summary: 'Create a custom role',
      description:
        'Grants `permissions`, or those of the role `duplicate_from`, or those of cr_member when neither is given. ' +
        'At most one role is the default for new members.',
      requires: writeRequirement,
      body: newRole,
      errors: ['NOT_FOUND', 'CONFLICT'],
      responses: { 201: { description: 'The role', json: role } },
      handle: async (context, { body }) => ({ status: 201, json: await createRole(deps, context, body) }),
    }),
    keyEndpoint({
      ...common,
      operationId: 'updateRole',
      method: 'PATCH',
      path: '/v1/roles/{role_id}',
      summary: 'Update a custom role',
      description:
        'Omitted fields stay unchanged. New permissions take effect immediately for every key whose owner has the role.',
      requires: writeRequirement,
      params: rolePath,
      body: roleChange,
      errors: ['NOT_FOUND', 'CONFLICT', 'SYSTEM_ROLE'],
      responses: { 200: { description: 'The role', json: role } },
      handle: async (context, { params, body }) => ({
        json: await updateRole(deps, context, params.role_id, body),
      }),
    }),
    keyEndpoint({
      ...common,
      operationId: 'deleteRole',
      method: 'DELETE',
      path: '/v1/roles/{role_id}',
      summary: 'Delete a custom role that no active user has',
      requires: writeRequirement,
      params: rolePath,
      errors: ['NOT_FOUND', 'ROLE_IN_USE', 'SYSTEM_ROLE'],
      responses: { 204: { description: 'Deleted' } },
      async handle(context, { params }) {
        await deleteRole(deps, context, params.role_id);
        return { status: 204 };
      },
    }),
  ];
}
