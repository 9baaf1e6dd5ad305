import type { z } from 'zod';
import type { KeyAccess } from '../../access/access-rule.ts';
import type { Database } from '../../db/database.ts';
import { type Endpoint, type KeyContext, keyEndpoint, type Method, type Reply } from '../../http/endpoint.ts';
import type { ErrorCode } from '../../lib/app-error.ts';
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.ts';
import { patchGroup, stateOfGroup } from './group-members.ts';
import {
  changeScimGroup,
  createScimGroup,
  deleteScimGroup,
  listScimGroups,
  readScimGroup,
} from './manage-groups.ts';
import {
  changeScimUser,
  createScimUser,
  deleteScimUser,
  listScimUsers,
  readScimUser,
} from './manage-users.ts';
import { type BaseUrl, describeGroup, describeList, describeUser } from './resources.ts';
import {
  document,
  groupResource,
  listOf,
  listQuery,
  oneQuery,
  patchBody,
  resourceBody,
  resourcePath,
  userResource,
  workspacePath,
} from './schemas.ts';
import { parseFilter } from './scim-text.ts';
import { type ScimWorkspace, workspaceOf } from './scim-workspace.ts';
import { patchUser, stateOfResource, type UserState } from './user-state.ts';

export interface ScimDeps {
  readonly database: Database;
  /** Where providers reach this server. */
  readonly publicUrl: () => string;
}

const mediaType = 'application/scim+json';
const access: KeyAccess = {
  organization: 'forbidden',
  user: 'forbidden',
  workspace: 'all',
  instance: 'forbidden',
  legacy: 'forbidden',
  agentic: 'forbidden',
};

/** What a handler knows: the workspace of the token, and where its resources are. */
interface ScimRequest<P, Q, B> {
  readonly context: KeyContext;
  readonly workspace: ScimWorkspace;
  readonly base: BaseUrl;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

interface ScimDeclaration<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> {
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly params: P;
  readonly query: Q;
  readonly body?: B;
  readonly errors?: readonly ErrorCode[];
  readonly success: { readonly status: number; readonly description: string; readonly json?: z.ZodType };
  handle(request: ScimRequest<z.output<P>, z.output<Q>, z.output<B>>): Promise<unknown>;
}

/** Declares an endpoint of SCIM: its media type and error format, with a workspace token as a bearer. */
function scimEndpoint<
  P extends typeof workspacePath | typeof resourcePath,
  Q extends z.ZodObject,
  B extends z.ZodType = z.ZodNever,
>({ publicUrl }: ScimDeps, declaration: ScimDeclaration<P, Q, B>): Endpoint {
  const { path, success, errors = [], params, query, body, handle, ...named } = declaration;
  return keyEndpoint({
    ...named,
    path: `/scim/v2/{workspace}${path}`,
    tag: 'SCIM',
    params,
    query,
    ...(body !== undefined && { body, bodyTypes: [mediaType, 'application/json'] }),
    acceptsBearer: true,
    access,
    // Workspaces are on the Enterprise plan anyway.
    requires: { plan: 'any', right: 'admin' },
    limit: { bucket: 'scim', perMinute: 600, per: 'key' },
    errorBody: 'scim',
    errors: ['NOT_FOUND', ...errors],
    responses: { [success.status]: { ...success, mediaType } },
    async handle(context, input): Promise<Reply> {
      const { workspace: slug } = input.params as { workspace: string };
      const workspace = workspaceOf(context, slug);
      const base = `${publicUrl()}/scim/v2/${slug}`;
      const json = await handle({
        ...(input as never as ScimRequest<never, never, never>),
        context,
        workspace,
        base,
      });
      if (success.status === 204) return { status: 204 };
      const location = (json as { meta?: { location: string } }).meta?.location;
      return {
        status: success.status,
        json,
        mediaType,
        ...(success.status === 201 && location !== undefined && { headers: { location } }),
      };
    },
  });
}

const ok = (description: string, json: z.ZodType) => ({ status: 200, description, json });
const sliceOf = ({ filter, ...slice }: z.output<typeof listQuery>) => ({
  ...slice,
  filter: filter === undefined ? [] : parseFilter(filter),
});
const showsMembers = ({ excludedAttributes = '' }: z.output<typeof oneQuery>) =>
  !/(^|[,\s])members([,\s]|$)/i.test(excludedAttributes);

function userEndpoints(deps: ScimDeps): Endpoint[] {
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

function groupEndpoints(deps: ScimDeps): Endpoint[] {
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

const documents = [
  {
    operationId: 'readScimConfiguration',
    path: '/ServiceProviderConfig',
    summary: 'What the server supports',
    describe: serviceProviderConfig,
  },
  {
    operationId: 'listScimResourceTypes',
    path: '/ResourceTypes',
    summary: 'The types of resources',
    describe: resourceTypes,
  },
  {
    operationId: 'listScimSchemas',
    path: '/Schemas',
    summary: 'The attributes of users and groups',
    describe: schemas,
  },
] as const;

/** SCIM 2.0, with which an identity provider says who may use a workspace (ADR 0055). */
export function scimEndpoints(deps: ScimDeps): Endpoint[] {
  return [
    ...userEndpoints(deps),
    ...groupEndpoints(deps),
    ...documents.map(({ describe, ...named }) =>
      scimEndpoint(deps, {
        ...named,
        method: 'GET',
        params: workspacePath,
        query: oneQuery,
        success: ok('A document of SCIM', document),
        handle: async ({ base }) => describe(base),
      }),
    ),
  ];
}
