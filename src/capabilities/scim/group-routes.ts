import type { z } from 'zod';
import type { Endpoint } from '../../http/endpoint.ts';
import { ok, type ScimDeps, scimEndpoint, sliceOf } from './declare-routes.ts';
import {
  changeScimGroup,
  createScimGroup,
  deleteScimGroup,
  listScimGroups,
  readScimGroup,
} from './manage-groups.ts';
import { patchGroup, stateOfGroup } from './patch-group.ts';
import { describeGroup, describeList } from './resources.ts';
import {
  groupResource,
  listOf,
  listQuery,
  oneQuery,
  patchBody,
  resourceBody,
  resourcePath,
  workspacePath,
} from './schemas.ts';

const showsMembers = ({ excludedAttributes = '' }: z.output<typeof oneQuery>) =>
  !/(^|[,\s])members([,\s]|$)/i.test(excludedAttributes);

export function groupEndpoints(deps: ScimDeps): Endpoint[] {
  const { sql } = deps.database;
  return [
    scimEndpoint(deps, {
      operationId: 'listScimGroups',
      method: 'GET',
      path: '/Groups',
      summary: 'List the groups that the identity provider has created, oldest first',
      params: workspacePath,
      query: listQuery,
      success: ok('Groups', listOf(groupResource)),
      async handle({ workspace, base, query }) {
        const found = await listScimGroups(sql, workspace, sliceOf(query));
        return describeList(found, query.startIndex, (group) =>
          describeGroup(base, group, showsMembers(query)),
        );
      },
    }),
    scimEndpoint(deps, {
      operationId: 'createScimGroup',
      method: 'POST',
      path: '/Groups',
      summary:
        'Create a group; `Postil Admin` makes admins of the workspace, `Postil` and the name of a role gives that role',
      params: workspacePath,
      query: oneQuery,
      body: resourceBody,
      errors: ['CONFLICT'],
      success: { status: 201, description: 'The group', json: groupResource },
      handle: async ({ context, workspace, base, body }) =>
        describeGroup(base, await createScimGroup(deps, context, workspace, stateOfGroup(body)), true),
    }),
    scimEndpoint(deps, {
      operationId: 'readScimGroup',
      method: 'GET',
      path: '/Groups/{id}',
      summary: 'One group',
      params: resourcePath,
      query: oneQuery,
      success: ok('The group', groupResource),
      handle: async ({ workspace, base, params, query }) =>
        describeGroup(base, await readScimGroup(sql, workspace, params.id), showsMembers(query)),
    }),
    scimEndpoint(deps, {
      operationId: 'replaceScimGroup',
      method: 'PUT',
      path: '/Groups/{id}',
      summary: 'Replace a group and its members',
      params: resourcePath,
      query: oneQuery,
      body: resourceBody,
      errors: ['CONFLICT'],
      success: ok('The group', groupResource),
      handle: async ({ context, workspace, base, params, body }) => {
        const state = stateOfGroup(body);
        const group = await changeScimGroup(deps, context, workspace, params.id, () => state);
        return describeGroup(base, group, true);
      },
    }),
    scimEndpoint(deps, {
      operationId: 'patchScimGroup',
      method: 'PATCH',
      path: '/Groups/{id}',
      summary: 'Change a group or its members',
      params: resourcePath,
      query: oneQuery,
      body: patchBody,
      errors: ['CONFLICT'],
      success: { status: 204, description: 'Changed' },
      handle: ({ context, workspace, params, body }) =>
        changeScimGroup(deps, context, workspace, params.id, (group) => patchGroup(group, body.Operations)),
    }),
    scimEndpoint(deps, {
      operationId: 'deleteScimGroup',
      method: 'DELETE',
      path: '/Groups/{id}',
      summary: 'Delete a group; its members lose what it gave them',
      params: resourcePath,
      query: oneQuery,
      success: { status: 204, description: 'Deleted' },
      handle: ({ context, workspace, params }) => deleteScimGroup(deps, context, workspace, params.id),
    }),
  ];
}
