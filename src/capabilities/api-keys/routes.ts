import { systemActor } from '../../access/actor.ts';
import type { Database } from '../../db/database.ts';
import type { CursorCodec } from '../../http/cursor.ts';
import { type Endpoint, operatorEndpoint } from '../../http/endpoint.ts';
import { createKey } from './create-key.ts';
import { bindKey } from './key-binding.ts';
import { type KeyPosition, listKeys } from './list-keys.ts';
import { revokeKey } from './revoke-key.ts';
import { createdKey, keyList, keyListQuery, keyPath, keyRequest } from './schemas.ts';

export interface ApiKeysDeps {
  readonly database: Database;
  readonly cursors: CursorCodec;
}

/** The operator's endpoints for keys. */
export function apiKeyEndpoints(deps: ApiKeysDeps): Endpoint[] {
  return [
    operatorEndpoint({
      operationId: 'createKey',
      method: 'POST',
      path: '/operator/v1/keys',
      tag: 'Operator',
      summary: 'Create an API key',
      description: 'The value appears only in this response; only its SHA-256 hash is stored.',
      body: keyRequest,
      errors: ['NOT_FOUND'],
      responses: { 201: { description: 'The key with its value', json: createdKey } },
      handle: async (context, { body }) => ({
        status: 201,
        json: await createKey(deps, body, (tx) => bindKey(tx, body), { ...context, actor: systemActor }),
      }),
    }),
    operatorEndpoint({
      operationId: 'listKeys',
      method: 'GET',
      path: '/operator/v1/keys',
      tag: 'Operator',
      summary: 'List API keys, without their values',
      query: keyListQuery,
      responses: { 200: { description: 'A page of keys, oldest first', json: keyList } },
      async handle(_context, { query }) {
        const binding = ['listKeys'];
        const after =
          query.cursor === undefined ? undefined : deps.cursors.open<KeyPosition>(binding, query.cursor);
        const { keys, next } = await listKeys(deps.database.sql, query.limit, after);
        return {
          json: {
            keys: keys.map(({ owner_name: _, ...key }) => key),
            next_cursor: next === undefined ? null : deps.cursors.seal(binding, next),
          },
        };
      },
    }),
    operatorEndpoint({
      operationId: 'revokeKey',
      method: 'DELETE',
      path: '/operator/v1/keys/{id}',
      tag: 'Operator',
      summary: 'Revoke an API key immediately',
      params: keyPath,
      errors: ['NOT_FOUND'],
      responses: { 204: { description: 'Revoked' } },
      async handle(context, { params }) {
        await revokeKey(deps, params.id, { ...context, actor: systemActor });
        return { status: 204 };
      },
    }),
  ];
}
