import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorToken, startTestApp } from '../../../../test/harness.ts';
import {
  connect,
  connectionsPath,
  settled,
  show,
  startDouble,
  until,
  untilSteady,
} from '../../../../test/hosts/connected-host.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';
import { portOf } from '../../../../test/late-caller.ts';
import { systemActor } from '../../../access/actor.ts';
import { anyAddress } from '../../../outbound/address-guard.ts';
import { createOutbound } from '../../../outbound/outbound.ts';
import { newKey } from '../../../secrets/key-ring.ts';
import { Vault } from '../../../secrets/vault.ts';
import { connectionRequest } from '../schemas.ts';
import { findConnection } from '../store.ts';
import { addConnection } from './add-connection.ts';
import { changeConnection } from './change-connection.ts';
import { checkConnection } from './check-connection.ts';

const vault = new Vault({ keys: [newKey()], origin: 'environment' });
const outbound = createOutbound(anyAddress);
const app = await startTestApp({ vault, outbound });
const gitea = await startDouble(new GiteaDouble());
fillForge(gitea);
await app.queue.startWorkers();
const { sql } = app.database;
const deps = { database: app.database, vault, outbound, clock: () => app.now, openHosts: new Map() };
const origin = { now: app.now, requestId: 'test', ipAddress: null, actor: systemActor };
const request = { provider: 'gitea', url: gitea.url, credentials: { token: hostToken } };
const { id } = await connect(app, { ...request, organizations: ['acme'] });
await settled(app);

/** A list of organizations whose every page comes at once, and that has no end. */
let pages = 0;
const endless = ({ path }: { path: string }) => {
  if (!path.endsWith('/user/orgs')) return undefined;
  pages += 1;
  return { status: 200, json: [{ id: pages + 1000, name: `org-${pages}` }] };
};
const soon = { maxMs: 300 };
const hostName = new URL(gitea.url).host;
const tooLong = { code: 'CONNECTION_REFUSED', message: `${hostName} took longer than 0.3 s to answer` };

test('adding a connection has a total limit of time, and nothing is kept', async () => {
  const count = async () => [
    (await sql`SELECT 1 FROM connections`).length,
    (await sql`SELECT 1 FROM sealed_secrets`).length,
  ];
  const before = await count();
  gitea.fault = endless;
  await assert.rejects(addConnection(deps, connectionRequest.parse(request), origin, soon), tooLong);
  gitea.fault = () => undefined;
  assert.deepEqual(await count(), before);
});

test('changing a connection has a total limit of time, and nothing changes', async () => {
  const before = await show(app, id);
  gitea.fault = endless;
  for (const change of [{ organizations: ['org-1'] }, { credentials: { token: hostToken } }])
    await assert.rejects(changeConnection(deps, id, { ...change, review: 'off' }, origin, soon), tooLong);
  gitea.fault = () => undefined;
  assert.deepEqual(await show(app, id), before);
});

test('a check has a total limit of time, after which it says what it found', async () => {
  gitea.fault = ({ path }) => (path.endsWith('/user/orgs') ? 'stall' : undefined);
  // The first call must be answered within it, however busy the machine is.
  const limit = { maxMs: 15_000 };
  const checks = await checkConnection(deps, (await findConnection(sql, id))!, 'http://postil.test', limit);
  gitea.fault = () => undefined;
  assert.deepEqual(checks, [
    { name: 'credentials', ok: true, message: 'signed in as postil-bot' },
    { name: 'host', ok: false, message: `${hostName} took longer than 15 s to answer` },
  ]);
  assert.equal((await show(app, id)).status, 'ready', 'the host answered everything it was asked');
});

test('a change or check whose caller has gone stops calling the host, and changes nothing', async () => {
  const before = await show(app, id);
  const port = await portOf(app);
  gitea.fault = endless;
  for (const [method, path, body] of [
    ['PATCH', '', { organizations: ['acme'], review: 'off' }],
    ['POST', '/check', undefined],
  ] as const) {
    const giveUp = new AbortController();
    const first = pages;
    const call = fetch(`http://127.0.0.1:${port}${connectionsPath}/${id}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${operatorToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: giveUp.signal,
    });
    await until(() => pages > first + 3);
    giveUp.abort();
    await assert.rejects(call);
    await untilSteady(() => pages);
  }
  gitea.fault = () => undefined;
  assert.deepEqual(await show(app, id), before);
});

test('the check of a paused connection says that it is paused, and does not call the host', async () => {
  await app.operator('PATCH', `${connectionsPath}/${id}`, { status: 'paused' });
  const calls = gitea.requests.length;
  const { json } = await app.operator('POST', `${connectionsPath}/${id}/check`);
  assert.deepEqual(json.checks, [
    { name: 'status', ok: false, message: 'the connection is paused: resume it to check the host' },
  ]);
  assert.equal(gitea.requests.length, calls);
});
