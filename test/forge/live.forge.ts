import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp } from '../harness.ts';
import {
  connect,
  connectionsPath,
  deliver,
  runSchedule,
  settled,
  show,
  until,
} from '../hosts/connected-host.ts';
import type { Delivery } from '../hosts/host-double.ts';
import { createPostilProcess } from '../postil-process.ts';
import { fixedAddress, longTestMs, patienceMs, startForgejo } from './forgejo.ts';

const program = process.env.POSTIL_FORGEJO;
assert.ok(program, 'POSTIL_FORGEJO must be the path of a Forgejo program');
const forge = await startForgejo(program);
after(() => forge.stop());

/** The webhook deliveries of the host; the tests forward them to the server, or drop them. */
const received: Delivery[] = [];
const inbox = http.createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => name.startsWith('x-') || name === 'content-type'),
  ) as Record<string, string>;
  const id = headers['x-gitea-delivery'] ?? '';
  received.push({ id, url: `http://inbox${request.url}`, headers, body: Buffer.concat(parts).toString() });
  response.writeHead(202).end('{}');
});
inbox.listen(0, '127.0.0.1');
after(() => inbox.close());

/**
 * Stores the deliveries of the forge in the folder that POSTIL_RECORD_DELIVERIES names; `test/hosts/recorded` was made with it.
 */
async function recordDeliveries(secret: string): Promise<void> {
  const folder = process.env.POSTIL_RECORD_DELIVERIES;
  if (folder === undefined) return;
  const deliveries = received.map(({ id, headers, body }) => ({ id, headers, body }));
  const text = JSON.stringify({ secret, deliveries }, null, 1);
  await fs.writeFile(path.join(folder, 'forgejo-1.21.json'), `${text}\n`);
}

const ownUrl = () => `http://127.0.0.1:${(inbox.address() as AddressInfo).port}`;

const webhookSecret = 'a-secret-of-this-test-only';
const app = await startTestApp({ ownUrl, clock: () => new Date() });
await app.queue.startWorkers();

async function stateOf(number: number): Promise<string | undefined> {
  const [row] = await app.database.sql`SELECT state FROM pull_requests WHERE number = ${number}`;
  return row?.state;
}

async function writeFile(branch: string, name: string, from = 'main'): Promise<void> {
  const content = Buffer.from(`${name}\n`).toString('base64');
  const target = branch === from ? { branch } : { branch: from, new_branch: branch };
  await forge.call('POST', `/repos/acme/app/contents/${name}`, { content, message: name, ...target });
}

async function openPull(branch: string): Promise<number> {
  await writeFile(branch, `${branch}.txt`);
  const body = { head: branch, base: 'main', title: branch };
  const { number } = (await forge.call('POST', '/repos/acme/app/pulls', body)) as { number: number };
  return number;
}

test('a real forge keeps the installation up to date, even if its deliveries are reordered, doubled or lost', {
  timeout: longTestMs,
}, async () => {
  await forge.call('POST', '/orgs', { username: 'acme' });
  await forge.call('POST', '/orgs/acme/repos', {
    name: 'app',
    private: true,
    auto_init: true,
    default_branch: 'main',
  });
  const { id } = await connect(app, {
    provider: 'gitea',
    url: forge.url,
    credentials: { token: forge.token },
    webhook_secret: webhookSecret,
  });
  await settled(app, [], patienceMs);
  const { status, webhook, organizations } = await show(app, id);
  assert.deepEqual([status, webhook.instructions, organizations], ['ready', [], ['acme']]);

  const first = await openPull('first');
  await forge.call('POST', `/repos/acme/app/issues/${first}/comments`, { body: 'a comment' });
  await forge.call('POST', `/repos/acme/app/pulls/${first}/reviews`, {
    event: 'COMMENT',
    body: 'a review',
    comments: [{ path: 'first.txt', new_position: 1, body: 'a comment on a line' }],
  });
  await writeFile('first', 'more.txt', 'first');
  await forge.call('POST', `/repos/acme/app/pulls/${first}/merge`, {
    Do: 'squash',
    delete_branch_after_merge: true,
  });
  await sleep(10_000);
  assert.ok(received.length > 0, 'the forge calls its webhook');
  await recordDeliveries(webhookSecret);
  // Deliveries that are reordered and doubled.
  for (const delivery of [...received.toReversed(), ...received.splice(0)])
    assert.equal((await deliver(app, delivery)).status, 202);
  await settled(app, [], patienceMs);
  assert.equal(await stateOf(first), 'merged');

  const second = await openPull('second');
  // A delivery that is lost.
  received.length = 0;
  await runSchedule(app, 'start-due-readings');
  await settled(app, [], patienceMs);
  assert.equal(await stateOf(second), 'open');
  await forge.call('PATCH', `/repos/acme/app/pulls/${second}`, { state: 'closed' });
  assert.equal(
    (await app.operator('POST', `${connectionsPath}/${id}/backfill`, { since: '2020-01-01' })).status,
    202,
  );
  await settled(app, [], patienceMs);
  assert.equal(await stateOf(second), 'closed');
  const { json } = await app.operator('POST', `${connectionsPath}/${id}/check`);
  assert.deepEqual(
    json.checks.filter(({ ok }: { ok: boolean }) => !ok),
    [],
  );
});

test('kill -9 at any moment loses and doubles nothing', { timeout: longTestMs }, async () => {
  await forge.call('POST', '/orgs', { username: 'beta' });
  const repository = { name: 'app', private: true, auto_init: true, default_branch: 'main' };
  await forge.call('POST', '/orgs/beta/repos', repository);
  const postil = await createPostilProcess(await fixedAddress());
  after(() => postil.remove());
  await postil.start();
  const connection = {
    provider: 'gitea',
    url: forge.url,
    credentials: { token: forge.token },
    organizations: ['beta'],
  };
  const { json, status } = await postil.call('POST', connectionsPath, connection);
  assert.equal(status, 201, JSON.stringify(json));
  const merged: number[] = [];
  for (const round of [1, 2, 3, 4]) {
    const branch = `round-${round}`;
    const content = Buffer.from(`${branch}\n`).toString('base64');
    const change = { content, message: branch, branch: 'main', new_branch: branch };
    await forge.call('POST', `/repos/beta/app/contents/${branch}.txt`, change);
    const pull = { head: branch, base: 'main', title: branch };
    const { number } = (await forge.call('POST', '/repos/beta/app/pulls', pull)) as { number: number };
    const killed = sleep(round * 400).then(() => postil.kill());
    await forge.call('POST', `/repos/beta/app/pulls/${number}/merge`, { Do: 'squash' });
    await killed;
    await postil.start();
    merged.push(number);
  }
  // Deliveries during the downtime are lost; the forge does not retry them.
  const backfill = `${connectionsPath}/${json.id}/backfill`;
  assert.equal((await postil.call('POST', backfill, { since: '2020-01-01' })).status, 202);
  await until(async () => {
    const { backfill, health } = (await postil.call('GET', `${connectionsPath}/${json.id}`)).json;
    return backfill.state === 'done' && health.waiting === 0;
  }, patienceMs);
  const { organizations } = (await postil.call('GET', '/operator/v1/platform')).json;
  const beta = organizations.find(({ name }: { name: string }) => name === 'beta');
  const key = await postil.call('POST', '/operator/v1/keys', {
    kind: 'organization',
    name: 'live',
    provider: beta.provider,
    org_id: beta.provider_organization_id,
    instance: beta.instance,
    owner: beta.members[0].user_id,
  });
  assert.equal(key.status, 201, JSON.stringify(key.json));
  const today = new Date().toISOString().slice(0, 10);
  const window = `start_date=${today}&end_date=${today}&status=merged`;
  const { json: metrics } = await postil.call(
    'GET',
    `/v1/metrics/reviews?${window}`,
    undefined,
    key.json.value,
  );
  const urls = metrics.data.map(({ pr_url }: { pr_url: string }) => pr_url).sort();
  assert.deepEqual(urls, merged.map((number) => `${forge.url}/beta/app/pulls/${number}`).sort());
});
