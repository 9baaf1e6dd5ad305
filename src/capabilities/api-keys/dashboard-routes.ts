import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { type Endpoint, type KeyContext, type SessionAccess, sessionEndpoint } from '../../http/endpoint.ts';
import { createOwnKey, createOwnToken } from './create-own-key.ts';
import type { KeyScope } from './key-scope.ts';
import { type KeyPosition, listKeys } from './list-keys.ts';
import { revokeKey } from './revoke-key.ts';
import {
  createdKey,
  keyListQuery,
  keyPath,
  type OwnKeyRequest,
  type OwnTokenRequest,
  ownKeyList,
  ownKeyRequest,
  ownTokenRequest,
} from './schemas.ts';

const access: SessionAccess = { user: 'own', workspace: 'all' };

/** The keys of the organization or the tokens of the workspace, whichever is being viewed. */
function keyScopeOf({ principal, scope }: KeyContext): KeyScope {
  return principal.kind === 'workspace'
    ? { workspaceId: principal.workspace.id }
    : { organizationId: onlyOrganization(scope).organization.id };
}

/** The dashboard's endpoints for API keys and workspace tokens, backed by the same use cases as the operator's. */
export function dashboardKeyEndpoints(deps: { database: Database }): Endpoint[] {
  return [
    sessionEndpoint({
      operationId: 'listOwnKeys',
      method: 'GET',
      path: '/dashboard/v1/keys',
      tag: 'Dashboard',
      summary: 'List the keys of the organization, or the tokens of the workspace',
      access,
      requires: { plan: 'any', right: 'api_access:read' },
      query: keyListQuery,
      responses: { 200: { description: 'A page of keys, oldest first', json: ownKeyList } },
      async handle(context, { query }) {
        const after =
          query.cursor === undefined ? undefined : context.cursors.read<KeyPosition>(null, query.cursor);
        const { keys, next } = await listKeys(deps.database.sql, query.limit, after, keyScopeOf(context));
        return { json: { keys, next_cursor: next === undefined ? null : context.cursors.issue(null, next) } };
      },
    }),
    sessionEndpoint({
      operationId: 'createOwnKey',
      method: 'POST',
      path: '/dashboard/v1/keys',
      tag: 'Dashboard',
      summary: 'Create a key, or a workspace token',
      access,
      requires: { plan: 'any', right: 'api_access:write' },
      body: ownKeyRequest,
      bodyByKind: { workspace: ownTokenRequest },
      errors: ['NOT_FOUND'],
      responses: { 201: { description: 'The key with its value', json: createdKey } },
      async handle(context, { body }) {
        const json =
          context.principal.kind === 'workspace'
            ? await createOwnToken(deps, context, body as unknown as OwnTokenRequest)
            : await createOwnKey(deps, context, body as OwnKeyRequest);
        return { status: 201, json };
      },
    }),
    sessionEndpoint({
      operationId: 'revokeOwnKey',
      method: 'DELETE',
      path: '/dashboard/v1/keys/{id}',
      tag: 'Dashboard',
      summary: 'Revoke a key immediately',
      access,
      requires: { plan: 'any', right: 'api_access:delete' },
      params: keyPath,
      errors: ['NOT_FOUND'],
      responses: { 204: { description: 'Revoked' } },
      async handle(context, { params }) {
        await revokeKey(deps, params.id, context, keyScopeOf(context));
        return { status: 204 };
      },
    }),
  ];
}
