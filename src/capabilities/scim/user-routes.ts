import type { Endpoint } from '../../http/endpoint.ts';
import { ok, type ScimDeps, scimEndpoint, sliceOf } from './declare-routes.ts';
import {
  changeScimUser,
  createScimUser,
  deleteScimUser,
  listScimUsers,
  readScimUser,
} from './manage-users.ts';
import { describeList, describeUser } from './resources.ts';
import {
  listOf,
  listQuery,
  oneQuery,
  patchBody,
  resourceBody,
  resourcePath,
  userResource,
  workspacePath,
} from './schemas.ts';
import { patchUser, stateOfResource, type UserState } from './user-state.ts';

export function userEndpoints(deps: ScimDeps): Endpoint[] {
  const { sql } = deps.database;
  return [
    scimEndpoint(deps, {
      operationId: 'listScimUsers',
      method: 'GET',
      path: '/Users',
      summary: 'List the users that the identity provider has created, oldest first',
      params: workspacePath,
      query: listQuery,
      success: ok('Users', listOf(userResource)),
      async handle({ workspace, base, query }) {
        const found = await listScimUsers(sql, workspace, sliceOf(query));
        return describeList(found, query.startIndex, (user) => describeUser(base, user));
      },
    }),
    scimEndpoint(deps, {
      operationId: 'createScimUser',
      method: 'POST',
      path: '/Users',
      summary: 'Create a user',
      params: workspacePath,
      query: oneQuery,
      body: resourceBody,
      errors: ['CONFLICT'],
      success: { status: 201, description: 'The user', json: userResource },
      handle: async ({ context, workspace, base, body }) =>
        describeUser(base, await createScimUser(deps, context, workspace, stateOfResource(body))),
    }),
    scimEndpoint(deps, {
      operationId: 'readScimUser',
      method: 'GET',
      path: '/Users/{id}',
      summary: 'One user',
      params: resourcePath,
      query: oneQuery,
      success: ok('The user', userResource),
      handle: async ({ workspace, base, params }) =>
        describeUser(base, await readScimUser(sql, workspace, params.id)),
    }),
    scimEndpoint(deps, {
      operationId: 'replaceScimUser',
      method: 'PUT',
      path: '/Users/{id}',
      summary: 'Replace a user',
      params: resourcePath,
      query: oneQuery,
      body: resourceBody,
      errors: ['CONFLICT'],
      success: ok('The user', userResource),
      handle: async ({ context, workspace, base, params, body }) => {
        const state = stateOfResource(body);
        return describeUser(base, await changeScimUser(deps, context, workspace, params.id, () => state));
      },
    }),
    scimEndpoint(deps, {
      operationId: 'patchScimUser',
      method: 'PATCH',
      path: '/Users/{id}',
      summary: 'Change a user; `active: false` takes accounts, seats, keys and sessions away at once',
      params: resourcePath,
      query: oneQuery,
      body: patchBody,
      errors: ['CONFLICT'],
      success: ok('The user', userResource),
      handle: async ({ context, workspace, base, params, body }) => {
        const patch = (user: UserState) => patchUser(user, body.Operations);
        return describeUser(base, await changeScimUser(deps, context, workspace, params.id, patch));
      },
    }),
    scimEndpoint(deps, {
      operationId: 'deleteScimUser',
      method: 'DELETE',
      path: '/Users/{id}',
      summary: 'Delete a user, who loses access as if deactivated',
      params: resourcePath,
      query: oneQuery,
      success: { status: 204, description: 'Deleted' },
      handle: ({ context, workspace, params }) => deleteScimUser(deps, context, workspace, params.id),
    }),
  ];
}
