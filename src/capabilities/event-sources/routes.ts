import { systemActor } from '../../access/actor.ts';
import type { Database } from '../../db/database.ts';
import type { CursorCodec } from '../../http/cursor.ts';
import { type Endpoint, operatorEndpoint } from '../../http/endpoint.ts';
import { boundCursors, readOnePage } from '../../http/paging.ts';
import { addSource } from './add-source.ts';
import { listSources, readSource, type SourcePosition } from './list-sources.ts';
import { removeSource } from './remove-source.ts';
import {
  createdSource,
  sourceListQuery,
  sourcePage,
  sourcePath,
  sourceRequest,
  sourceView,
} from './schemas.ts';

export interface EventSourcesDeps {
  readonly database: Database;
  readonly cursors: CursorCodec;
  /** The names of all types of events, and of what is reported otherwise. */
  readonly eventTypes: readonly string[];
}

const path = '/operator/v1/sources';
const tag = 'Operator';

/** The operator's endpoints for event sources. */
export function eventSourceEndpoints(deps: EventSourcesDeps): Endpoint[] {
  const { database, cursors, eventTypes } = deps;
  return [
    operatorEndpoint({
      operationId: 'addSource',
      method: 'POST',
      path,
      tag,
      summary:
        'Add an event source: a key that can only report certain types of events for certain organizations',
      description: 'The value is shown only in this response; only its SHA-256 is stored.',
      body: sourceRequest(eventTypes),
      errors: ['NOT_FOUND'],
      responses: { 201: { description: 'The source with its value', json: createdSource } },
      handle: async (context, { body }) => ({
        status: 201,
        json: await addSource(deps, body, { ...context, actor: systemActor }),
      }),
    }),
    operatorEndpoint({
      operationId: 'listSources',
      method: 'GET',
      path,
      tag,
      summary: 'List event sources without their values, newest first',
      query: sourceListQuery,
      responses: { 200: { description: 'A page of sources', json: sourcePage } },
      async handle(_context, { query: { limit, cursor } }) {
        const { page, nextCursor } = await readOnePage(
          boundCursors(cursors, ['listSources']),
          null,
          cursor,
          (after: SourcePosition | undefined) => listSources(database.sql, { after, limit }),
        );
        return { json: { data: page.sources, next_cursor: nextCursor } };
      },
    }),
    operatorEndpoint({
      operationId: 'readSource',
      method: 'GET',
      path: `${path}/{id}`,
      tag,
      summary: 'One event source, without its value',
      params: sourcePath,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'The source', json: sourceView } },
      handle: async (_context, { params }) => ({ json: await readSource(database.sql, params.id) }),
    }),
    operatorEndpoint({
      operationId: 'removeSource',
      method: 'DELETE',
      path: `${path}/{id}`,
      tag,
      summary: 'Remove an event source immediately',
      params: sourcePath,
      errors: ['NOT_FOUND'],
      responses: { 204: { description: 'Removed' } },
      async handle(context, { params }) {
        await removeSource(deps, params.id, { ...context, actor: systemActor });
        return { status: 204 };
      },
    }),
  ];
}
