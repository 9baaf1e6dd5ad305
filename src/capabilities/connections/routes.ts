import { z } from 'zod';
import { actorOfInstallation } from '../../access/actor.ts';
import type { CursorCodec } from '../../http/cursor.ts';
import {
  type AccountContext,
  operatorEndpoint,
  type PlainEndpoint,
  type RequestContext,
} from '../../http/endpoint.ts';
import { boundCursors, readOnePage } from '../../http/paging.ts';
import { whileCallerWaits } from '../../http/request/while-caller-waits.ts';
import type { WorkQueue } from '../../work/work-queue.ts';
import type { Connection, ConnectionId } from './connection-record.ts';
import { listDeliveries, replayDelivery } from './deliveries/list-deliveries.ts';
import type { HostDeps } from './open-host.ts';
import {
  accepted,
  backfillRequest,
  checkResult,
  connectionChange,
  connectionListQuery,
  connectionPage,
  connectionPath,
  connectionRequest,
  connectionView,
  createdConnection,
  deliveryListQuery,
  deliveryPage,
  deliveryPath,
} from './schemas.ts';
import { addConnection } from './setup/add-connection.ts';
import { changeConnection, removeConnection, requireConnection } from './setup/change-connection.ts';
import { checkConnection } from './setup/check-connection.ts';
import { describeConnections, describeCreated } from './setup/describe-connections.ts';
import { listConnections } from './setup/list-connections.ts';
import type { ConnectionPosition } from './store.ts';
import { startBackfill } from './syncing/backfill-store.ts';
import { enqueueRepositories } from './syncing/enqueue-repositories.ts';
import { findServed } from './syncing/sync-store.ts';
import type { ConnectionUnits } from './work-units.ts';

export interface ConnectionRouteDeps extends HostDeps {
  readonly cursors: CursorCodec;
  readonly queue: WorkQueue;
  readonly units: ConnectionUnits;
  readonly publicUrl: () => string;
  onDelivery(): void;
}

const path = '/operator/v1/connections';
const tag = 'Connections';
/** The operator, or an installation admin who uses the same endpoint in the dashboard. */
const originOf = (context: RequestContext & Partial<Pick<AccountContext, 'session'>>) => ({
  ...context,
  actor: actorOfInstallation(context.session),
});
const done = { status: 202, json: {} };
/** An action takes no fields, and needs no body. */
const action = { body: z.strictObject({}), isBodyOptional: true } as const;

/** Enqueues a sync or sweep of a connection. */
export async function enqueueUnit(
  { database, queue, units }: ConnectionRouteDeps,
  unit: 'sync' | 'sweep',
  { id }: Pick<Connection, 'id'>,
): Promise<void> {
  const options = { key: `${id} ${unit}`, group: id };
  await queue.enqueue(database.sql, units[unit], { connectionId: id }, options);
  await queue.startNow(database.sql, id, units[unit]);
  queue.wake(units[unit].name);
}

/** Schedules the work that was postponed while the connection was paused. */
async function resume({ database, queue, units }: ConnectionRouteDeps, id: ConnectionId): Promise<void> {
  // Units that do reviews are grouped by organization, not by connection.
  const served = await findServed(database.sql, id);
  for (const group of [id, ...served.map(({ organizationId }) => organizationId)])
    await queue.startNow(database.sql, group);
  for (const { name } of Object.values(units)) queue.wake(name);
}

function setupEndpoints(deps: ConnectionRouteDeps): PlainEndpoint[] {
  const { database } = deps;
  const describe = async (connection: Connection) =>
    (await describeConnections(database.sql, [connection], deps.publicUrl()))[0];
  return [
    operatorEndpoint({
      operationId: 'addConnection',
      method: 'POST',
      path,
      tag,
      summary: 'Connect an account on a Git host',
      description:
        'The credentials are tried at the host first; if it refuses them, the response is 400 `CONNECTION_REFUSED` with its reason, and nothing is stored. ' +
        'Organizations, repositories and members are then read immediately, and the webhook is registered if the account is allowed to. ' +
        'The webhook secret is shown only in this response, credentials never.',
      body: connectionRequest,
      errors: ['CONNECTION_REFUSED'],
      responses: { 201: { description: 'The connection', json: createdConnection } },
      async handle(context, { body }) {
        const { connection, organizations, webhookSecret } = await whileCallerWaits(
          context.raw,
          (callerGone) => addConnection(deps, body, originOf(context), { callerGone }),
        );
        await enqueueUnit(deps, 'sync', connection);
        return {
          status: 201,
          json: describeCreated(connection, organizations, deps.publicUrl(), webhookSecret),
        };
      },
    }),
    operatorEndpoint({
      operationId: 'listConnections',
      method: 'GET',
      path,
      tag,
      summary: 'List connections with their health, newest first',
      query: connectionListQuery,
      responses: { 200: { description: 'A page of connections', json: connectionPage } },
      async handle(_context, { query: { limit, cursor } }) {
        const { page, nextCursor } = await readOnePage(
          boundCursors(deps.cursors, ['listConnections']),
          null,
          cursor,
          (after: ConnectionPosition | undefined) => listConnections(database.sql, { after, limit }),
        );
        const data = await describeConnections(database.sql, page.connections, deps.publicUrl());
        return { json: { data, next_cursor: nextCursor } };
      },
    }),
    operatorEndpoint({
      operationId: 'readConnection',
      method: 'GET',
      path: `${path}/{id}`,
      tag,
      summary: 'One connection with its health',
      params: connectionPath,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'The connection', json: connectionView } },
      handle: async (_context, { params }) => ({
        json: await describe(await requireConnection(deps, params.id as ConnectionId)),
      }),
    }),
    operatorEndpoint({
      operationId: 'changeConnection',
      method: 'PATCH',
      path: `${path}/{id}`,
      tag,
      summary: 'Change credentials, secret, organizations, review or status',
      description:
        'New credentials are tried at the host first. A replaced webhook secret stays valid for 24 hours. While a connection is ' +
        'paused, deliveries are kept and the host is not called: credentials and organizations that are changed meanwhile are ' +
        'tried when it is resumed, which is refused if the host refuses them.',
      params: connectionPath,
      body: connectionChange,
      errors: ['NOT_FOUND', 'CONNECTION_REFUSED'],
      responses: { 200: { description: 'The connection', json: connectionView } },
      async handle(context, { params, body }) {
        const id = params.id as ConnectionId;
        await whileCallerWaits(context.raw, (callerGone) =>
          changeConnection(deps, id, body, originOf(context), { callerGone }),
        );
        if (body.status !== 'paused') await enqueueUnit(deps, 'sync', { id });
        if (body.status === 'ready') await resume(deps, id);
        deps.onDelivery();
        return { json: await describe(await requireConnection(deps, id)) };
      },
    }),
    operatorEndpoint({
      operationId: 'removeConnection',
      method: 'DELETE',
      path: `${path}/{id}`,
      tag,
      summary: 'Remove a connection; data that came through it stays',
      params: connectionPath,
      errors: ['NOT_FOUND'],
      responses: { 204: { description: 'Removed' } },
      async handle(context, { params }) {
        await removeConnection(deps, params.id as ConnectionId, deps.publicUrl(), originOf(context));
        return { status: 204 };
      },
    }),
  ];
}

function operationEndpoints(deps: ConnectionRouteDeps): PlainEndpoint[] {
  const { database } = deps;
  return [
    operatorEndpoint({
      operationId: 'checkConnection',
      method: 'POST',
      path: `${path}/{id}/check`,
      tag,
      summary: 'Check credentials, permissions, webhook and clock against the host',
      params: connectionPath,
      ...action,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'The results', json: checkResult } },
      async handle(context, { params }) {
        const connection = await requireConnection(deps, params.id as ConnectionId);
        const checks = await whileCallerWaits(context.raw, (callerGone) =>
          checkConnection(deps, connection, deps.publicUrl(), { callerGone }),
        );
        return { json: { checks } };
      },
    }),
    operatorEndpoint({
      operationId: 'syncConnection',
      method: 'POST',
      path: `${path}/{id}/sync`,
      tag,
      summary: 'Read organizations, repositories and members again',
      description: 'People who left the host become inactive. Roles that were assigned in Postil stay.',
      params: connectionPath,
      ...action,
      errors: ['NOT_FOUND'],
      responses: { 202: { description: 'Scheduled', json: accepted } },
      async handle(_context, { params }) {
        await enqueueUnit(deps, 'sync', await requireConnection(deps, params.id as ConnectionId));
        return done;
      },
    }),
    operatorEndpoint({
      operationId: 'backfillConnection',
      method: 'POST',
      path: `${path}/{id}/backfill`,
      tag,
      summary: 'Read pull requests that were merged or closed since a date',
      description: 'Includes the review comments of bots. Progress is in `backfill` of the connection.',
      params: connectionPath,
      body: backfillRequest,
      errors: ['NOT_FOUND'],
      responses: { 202: { description: 'Scheduled', json: accepted } },
      async handle(_context, { params, body }) {
        const { id } = await requireConnection(deps, params.id as ConnectionId);
        await database.transaction((tx) => startBackfill(tx, id, body.since));
        await enqueueRepositories(deps, id);
        return done;
      },
    }),
    operatorEndpoint({
      operationId: 'listDeliveries',
      method: 'GET',
      path: `${path}/{id}/deliveries`,
      tag,
      summary: 'List webhook deliveries, newest first',
      params: connectionPath,
      query: deliveryListQuery,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'A page of deliveries', json: deliveryPage } },
      async handle(_context, { params, query: { status, limit, cursor } }) {
        const { id } = await requireConnection(deps, params.id as ConnectionId);
        const { page, nextCursor } = await readOnePage(
          boundCursors(deps.cursors, ['listDeliveries', id]),
          status ?? null,
          cursor,
          (after: string | undefined) => listDeliveries(database.sql, id, status, { after, limit }),
        );
        return { json: { data: page.deliveries, next_cursor: nextCursor } };
      },
    }),
    operatorEndpoint({
      operationId: 'replayDelivery',
      method: 'POST',
      path: `${path}/{id}/deliveries/{delivery}/replay`,
      tag,
      summary: 'Process a delivery again',
      params: deliveryPath,
      ...action,
      errors: ['NOT_FOUND'],
      responses: { 202: { description: 'Scheduled', json: accepted } },
      async handle(_context, { params }) {
        const { id } = await requireConnection(deps, params.id as ConnectionId);
        await replayDelivery(database.sql, id, params.delivery);
        deps.onDelivery();
        return done;
      },
    }),
  ];
}

/** The operator's endpoints for connections to Git hosts. */
export function connectionEndpoints(deps: ConnectionRouteDeps): PlainEndpoint[] {
  return [...setupEndpoints(deps), ...operationEndpoints(deps)];
}
