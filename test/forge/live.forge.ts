import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { startTestApp } from '../harness.ts';
import { connect, connectionsPath, deliver, runJob, settled, show } from '../hosts/connected-host.ts';
import type { Delivery } from '../hosts/host-double.ts';
import { startForgejo } from './forgejo.ts';

const program = process.env.POSTIL_FORGEJO;
assert.ok(program, 'POSTIL_FORGEJO must be the path of a Forgejo program');
const forge = await startForgejo(program);
after(() => forge.stop());

/** Where the host's deliveries come to; the tests bring them to the server, or do not. */
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
const ownUrl = () => `http://127.0.0.1:${(inbox.address() as AddressInfo).port}`;

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

test('a real forge feeds the installation, whatever becomes of its deliveries', {
  timeout: 900_000,
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
  });
  await settled(app);
  const { status, webhook, organizations } = await show(app, id);
  assert.deepEqual([status, webhook.instructions, organizations], ['ready', [], ['acme']]);

  const first = await openPull('first');
  await forge.call('POST', `/repos/acme/app/issues/${first}/comments`, { body: 'a comment' });
  await forge.call('POST', `/repos/acme/app/pulls/${first}/reviews`, { event: 'COMMENT', body: 'a review' });
  await writeFile('first', 'more.txt', 'first');
  await forge.call('POST', `/repos/acme/app/pulls/${first}/merge`, {
    Do: 'squash',
    delete_branch_after_merge: true,
  });
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  assert.ok(received.length > 0, 'the forge calls its webhook');
  // Reordered and doubled.
  for (const delivery of [...received.toReversed(), ...received.splice(0)])
    assert.equal((await deliver(app, delivery)).status, 202);
  await settled(app);
  assert.equal(await stateOf(first), 'merged');

  const second = await openPull('second');
  // Lost.
  received.length = 0;
  await runJob(app, 'start-due-readings');
  await settled(app);
  assert.equal(await stateOf(second), 'open');
  await forge.call('PATCH', `/repos/acme/app/pulls/${second}`, { state: 'closed' });
  assert.equal(
    (await app.operator('POST', `${connectionsPath}/${id}/backfill`, { since: '2020-01-01' })).status,
    202,
  );
  await settled(app);
  assert.equal(await stateOf(second), 'closed');
  const { json } = await app.operator('POST', `${connectionsPath}/${id}/check`);
  assert.deepEqual(
    json.checks.filter(({ ok }: { ok: boolean }) => !ok),
    [],
  );
});
