import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import {
  connect,
  connectionsPath,
  deliver,
  runSchedule,
  settled,
  show,
  startDouble,
  until,
} from '../../../../test/hosts/connected-host.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';

const app = await startTestApp();
const gitea = await startDouble(new GiteaDouble());
const forge = fillForge(gitea);
await app.queue.startWorkers();
const request = {
  provider: 'gitea',
  url: gitea.url,
  credentials: { token: hostToken },
  organizations: ['acme'],
};
const { id, webhook } = await connect(app, request);
await settled(app);

const hookPath = `/hooks/${id}`;
const deliveriesPath = `${connectionsPath}/${id}/deliveries`;
const sign = (body: string | Buffer, secret = webhook.secret) =>
  createHmac('sha256', secret).update(body).digest('hex');
const payload = (number = 1) =>
  JSON.stringify({ number, pull_request: { number }, repository: { id: forge.app.id } });

function send(body: string | Buffer, headers: Record<string, string>, path = hookPath) {
  return app.call('POST', path, {
    body: body as string,
    headers: { 'x-gitea-event': 'pull_request', 'x-gitea-delivery': randomUUID(), ...headers },
  });
}

const list = async (query = '') => (await app.operator('GET', `${deliveriesPath}${query}`)).json;

test('a delivery is accepted with any of the signatures of Gitea and Forgejo, over the raw bytes', async () => {
  const body = payload().replace('{', '{ \n\t');
  for (const headers of [
    { 'x-gitea-signature': sign(body) },
    { 'x-forgejo-signature': sign(body) },
    { 'x-hub-signature-256': `sha256=${sign(body)}` },
    { 'x-gitea-signature': sign(body).toUpperCase() },
  ]) {
    const answer = await send(body, headers as Record<string, string>);
    assert.deepEqual([answer.status, answer.text], [202, '{}'], JSON.stringify(headers));
  }
  const notText = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
  assert.equal((await send(notText, { 'x-gitea-signature': sign(notText) })).status, 202);
  assert.equal((await send('', { 'x-gitea-signature': sign('') })).status, 202);
  await settled(app);
});

test('a missing, wrong or malformed signature is rejected and stores nothing', async () => {
  const body = payload();
  const before = (await list()).data.length;
  const cases: Record<string, string>[] = [
    {},
    { 'x-gitea-signature': '' },
    { 'x-gitea-signature': 'zz' },
    { 'x-gitea-signature': sign(body, 'another secret') },
    { 'x-gitea-signature': sign(`${body} `) },
    { 'x-hub-signature-256': '' },
    { 'x-hub-signature-256': 'sha256=' },
    { 'x-hub-signature': `sha1=${sign(body)}` },
    { 'x-gitlab-token': webhook.secret },
    { authorization: webhook.secret },
  ];
  for (const headers of cases) {
    const answer = await send(body, headers);
    assert.deepEqual(
      [answer.status, answer.json.error.code],
      [401, 'INVALID_SIGNATURE'],
      JSON.stringify(headers),
    );
  }
  assert.equal((await list()).data.length, before);
});

test('a connection that does not exist is not found, regardless of the signature', async () => {
  const body = payload();
  for (const path of ['/hooks/00000000-0000-7000-8000-000000000000', '/hooks/nonsense'])
    assert.equal((await send(body, { 'x-gitea-signature': sign(body) }, path)).status, 404, path);
  assert.equal((await send(body, { 'x-gitea-signature': sign(body) }, '/hooks/%00')).status, 400);
});

test('a body of more than 25 MiB is rejected, one of 25 MiB is accepted', async () => {
  const mebibyte = 1024 * 1024;
  const large = Buffer.alloc(25 * mebibyte, ' ');
  large.write(payload());
  assert.equal((await send(large, { 'x-gitea-signature': sign(large) })).status, 202);
  const tooLarge = Buffer.alloc(26 * mebibyte, ' ');
  const answer = await send(tooLarge, { 'x-gitea-signature': sign(tooLarge) });
  assert.deepEqual([answer.status, answer.json.error.code], [413, 'PAYLOAD_TOO_LARGE']);
  await settled(app);
});

test('a meaningless delivery is accepted and ignored, with the reason', async () => {
  const bodies = [
    '{"broken',
    'null',
    '[]',
    '"text"',
    '{}',
    '{"pull_request":{"number":"1"},"repository":{"id":1}}',
  ];
  for (const body of bodies)
    assert.equal((await send(body, { 'x-gitea-signature': sign(body) })).status, 202, body);
  const { data } = await list('?status=ignored&limit=6');
  assert.equal(data.length, 6);
  for (const delivery of data) assert.match(delivery.error, /not JSON|not about a pull request/);
  assert.equal(data.at(-1).error, 'the body is not JSON');
});

test('a repeated delivery id gets the same response and is processed once', async () => {
  const pull = gitea.state.open(forge.app, forge.ada);
  const [delivery] = gitea.takeDeliveries();
  for (let time = 0; time < 3; time += 1) assert.equal((await deliver(app, delivery!)).status, 202);
  await settled(app);
  const found = (await list()).data.filter(
    ({ delivery_id }: { delivery_id: string }) => delivery_id === delivery!.id,
  );
  assert.equal(found.length, 1);
  assert.deepEqual(Object.keys(found[0]).sort(), [
    ...['attempts', 'delivery_id', 'error', 'event', 'id', 'received_at', 'status'],
  ]);
  assert.deepEqual(
    [found[0].status, found[0].attempts, found[0].error, found[0].event],
    ['done', 1, null, 'pull_request'],
  );
  const [stored] = await app.database.sql`SELECT state FROM pull_requests WHERE number = ${pull.number}`;
  assert.equal(stored!.state, 'open');
  assert.equal((await show(app, id)).health.last_delivery_at, app.now.toISOString());
});

test('an old body under a new id changes nothing, since the host is asked', async () => {
  const pull = gitea.state.open(forge.app, forge.ada);
  const [opened] = gitea.takeDeliveries();
  await deliver(app, opened!);
  gitea.state.end(pull, 'merged');
  for (const delivery of gitea.takeDeliveries()) await deliver(app, delivery);
  app.now = new Date(app.now.getTime() + 1000);
  await settled(app);
  await send(opened!.body, { 'x-gitea-signature': sign(opened!.body) });
  await settled(app);
  const [stored] = await app.database.sql`SELECT state FROM pull_requests WHERE number = ${pull.number}`;
  assert.equal(stored!.state, 'merged');
});

test('the comments of bots on lines come in once the pull request has ended, and again after it changed', async () => {
  const pull = gitea.state.open(forge.app, forge.ada);
  gitea.state.review(pull, forge.reviewer, { comments: ['a bot'] });
  gitea.state.review(pull, forge.account, { comments: ['our own account'] });
  gitea.state.review(pull, forge.ben, { comments: ['a person'] });
  const deliverAll = async () => {
    app.now = new Date(app.now.getTime() + 1000);
    for (const delivery of gitea.takeDeliveries()) await deliver(app, delivery);
    await settled(app);
    const [row] = await app.database.sql`
      SELECT entry FROM review_metrics WHERE number = ${pull.number} AND entry IS NOT NULL`;
    return row === undefined ? 0 : JSON.parse(row.entry).coderabbit_comments.length;
  };
  assert.equal(await deliverAll(), 0);
  gitea.state.end(pull, 'merged');
  assert.equal(await deliverAll(), 1);
  gitea.state.now = new Date(gitea.state.now.getTime() + 60_000);
  gitea.state.review(pull, forge.reviewer, { comments: ['the same bot', 'once more'] });
  assert.equal(await deliverAll(), 3);
});

test('deliveries are listed newest first, by status and page by page', async () => {
  const { data, next_cursor } = await list('?limit=100');
  assert.equal(next_cursor, null);
  const ids = data.map((delivery: { id: string }) => delivery.id);
  assert.deepEqual(ids, [...ids].sort().reverse());
  const paged: string[] = [];
  let cursor = '';
  for (;;) {
    const page = await list(`?limit=3${cursor}`);
    paged.push(...page.data.map((delivery: { id: string }) => delivery.id));
    if (page.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
  assert.deepEqual(paged, ids);
  for (const status of ['waiting', 'done', 'ignored', 'failed'])
    for (const delivery of (await list(`?status=${status}`)).data) assert.equal(delivery.status, status);
  for (const query of ['status=lost', 'limit=0', 'cursor=x', 'colour=blue'])
    assert.equal((await app.operator('GET', `${deliveriesPath}?${query}`)).status, 400, query);
});

test('a replay processes a delivery again and leaves an ignored one unchanged', async () => {
  const pull = gitea.state.open(forge.app, forge.ada);
  const [delivery] = gitea.takeDeliveries();
  await deliver(app, delivery!);
  await settled(app);
  const [known] = (await list('?status=done&limit=1')).data;
  await app.database.sql`DELETE FROM host_pull_requests`;
  gitea.state.end(pull, 'closed');
  gitea.takeDeliveries();
  app.now = new Date(app.now.getTime() + 1000);
  const answer = await app.operator('POST', `${deliveriesPath}/${known.id}/replay`);
  assert.deepEqual([answer.status, answer.text], [202, '{}']);
  await settled(app);
  const [stored] = await app.database.sql`SELECT state FROM pull_requests WHERE number = ${pull.number}`;
  assert.equal(stored!.state, 'closed');
  const [again] = (await list('?status=done&limit=1')).data;
  assert.deepEqual([again.id, again.attempts], [known.id, 2]);
  const [ignored] = (await list('?status=ignored&limit=1')).data;
  assert.equal((await app.operator('POST', `${deliveriesPath}/${ignored.id}/replay`)).status, 202);
  assert.deepEqual((await list('?status=ignored&limit=1')).data[0], ignored);
  const missing = await app.operator('POST', `${deliveriesPath}/${randomUUID()}/replay`);
  assert.equal(missing.status, 404);
});

test('a replaced secret stays valid for 24 hours and no longer', async () => {
  const former = webhook.secret;
  const next = 'the-second-webhook-secret';
  const answer = await app.operator('PATCH', `${connectionsPath}/${id}`, { webhook_secret: next });
  assert.equal(answer.status, 200, answer.text);
  assert.ok(!answer.text.includes(next));
  await settled(app);
  assert.equal(forge.acme.hooks[0]!.secret, next, 'the host signs with the new one from now on');
  const body = payload();
  const status = async (secret: string) =>
    (await send(body, { 'x-gitea-signature': sign(body, secret) })).status;
  assert.deepEqual([await status(next), await status(former)], [202, 202]);
  const again = await app.operator('PATCH', `${connectionsPath}/${id}`, { webhook_secret: next });
  assert.equal(again.status, 200);
  assert.equal(await status(former), 202, 'a repeated request does not end the time of the former secret');
  const changedAt = app.now.getTime();
  app.now = new Date(changedAt + 24 * 60 * 60_000 - 1000);
  assert.deepEqual([await status(next), await status(former)], [202, 202]);
  app.now = new Date(changedAt + 24 * 60 * 60_000 + 1000);
  assert.deepEqual([await status(next), await status(former)], [202, 401]);
  webhook.secret = next;
  await settled(app);
});

test('each of several replaced secrets stays valid for its own 24 hours', async () => {
  const own = await connect(app, {
    provider: 'gitea',
    url: gitea.url,
    credentials: { token: hostToken },
    organizations: ['other'],
  });
  await settled(app);
  const path = `${connectionsPath}/${own.id}`;
  const body = '{}';
  const status = async (secret: string) => {
    const headers = { 'x-gitea-signature': sign(body, secret), 'x-gitea-delivery': randomUUID() };
    return (
      await app.call('POST', `/hooks/${own.id}`, { body, headers: { 'x-gitea-event': 'push', ...headers } })
    ).status;
  };
  const secrets = [own.webhook.secret, 'second-secret', 'third-secret', 'fourth-secret'];
  const hour = 3_600_000;
  for (const webhook_secret of secrets.slice(1)) {
    app.now = new Date(app.now.getTime() + hour);
    assert.equal((await app.operator('PATCH', path, { webhook_secret })).status, 200);
  }
  const statuses = async () => {
    const found: number[] = [];
    for (const secret of secrets) found.push(await status(secret));
    return found;
  };
  assert.deepEqual(await statuses(), [202, 202, 202, 202]);
  app.now = new Date(app.now.getTime() + 22.5 * hour);
  assert.deepEqual(await statuses(), [401, 202, 202, 202]);
  app.now = new Date(app.now.getTime() + hour);
  assert.deepEqual(await statuses(), [401, 401, 202, 202]);
  const { sql } = app.database;
  const count = async () => (await sql`SELECT 1 FROM sealed_secrets`).length;
  const before = await count();
  assert.equal((await app.operator('PATCH', path, { webhook_secret: 'fifth-secret' })).status, 200);
  assert.equal(await count(), before - 1, 'those whose time is over are forgotten');
  await settled(app);
  assert.equal((await app.operator('DELETE', path)).status, 204);
  assert.deepEqual(
    [...(await sql`SELECT 1 FROM former_webhook_secrets WHERE connection_id = ${own.id}`)],
    [],
  );
});

test('a secret that cannot be opened can still be replaced', async () => {
  const [row] = await app.database.sql`SELECT webhook_secret_id AS id FROM connections WHERE id = ${id}`;
  const { sql } = app.database;
  const [sealed] = await sql`SELECT sealed FROM sealed_secrets WHERE id = ${row!.id}`;
  await sql`UPDATE sealed_secrets SET sealed = '\\x00' WHERE id = ${row!.id}`;
  const other = await app.operator('PATCH', `${connectionsPath}/${id}`, { review: 'off' });
  assert.equal(other.status, 200, 'nothing else needs it');
  const replaced = await app.operator('PATCH', `${connectionsPath}/${id}`, {
    webhook_secret: 'a-new-secret',
  });
  assert.equal(replaced.status, 200, replaced.text);
  await sql`UPDATE sealed_secrets SET sealed = ${sealed!.sealed} WHERE id = ${row!.id}`;
  webhook.secret = 'a-new-secret';
  await settled(app);
});

test('while a connection is paused, deliveries get 202 and are kept, and the host is not called', async () => {
  await app.operator('PATCH', `${connectionsPath}/${id}`, { status: 'paused' });
  assert.equal((await show(app, id)).status, 'paused');
  const pull = gitea.state.open(forge.app, forge.ada);
  const calls = gitea.requests.length;
  for (const delivery of gitea.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
  for (const schedule of app.app.schedules) await schedule.run(AbortSignal.timeout(300_000));
  const { health } = await show(app, id);
  assert.deepEqual([health.waiting, health.oldest_waiting_at], [1, app.now.toISOString()]);
  assert.equal((await list('?status=waiting')).data.length, 1);
  assert.equal(gitea.requests.length, calls);
  await app.operator('PATCH', `${connectionsPath}/${id}`, { status: 'ready' });
  await settled(app);
  const [stored] = await app.database.sql`SELECT state FROM pull_requests WHERE number = ${pull.number}`;
  assert.equal(stored!.state, 'open');
  assert.deepEqual([(await show(app, id)).status, (await show(app, id)).health.waiting], ['ready', 0]);
});

test('a delivery about a repository that is newer than the last sync is read after the next one', async () => {
  const fresh = gitea.state.addRepository(forge.acme, 'fresh');
  const pull = gitea.state.open(fresh, forge.ada);
  app.now = new Date(app.now.getTime() + 60_000);
  for (const delivery of gitea.takeDeliveries()) await deliver(app, delivery);
  app.now = new Date(app.now.getTime() + 1000);
  await settled(app);
  const rows = await app.database.sql`
    SELECT 1 FROM pull_requests p JOIN repositories r ON r.id = p.repository_id
    WHERE r.provider_repository_id = ${String(fresh.id)} AND p.number = ${pull.number}`;
  assert.equal(rows.length, 1);
});

test('a delivery waits with its attempts and the reason while the host fails, and is then processed', async () => {
  const pull = gitea.state.open(forge.app, forge.ada);
  gitea.fault = ({ path }) =>
    path.endsWith(`/pulls/${pull.number}`) ? { status: 500, json: { message: 'out of order' } } : undefined;
  for (const delivery of gitea.takeDeliveries()) await deliver(app, delivery);
  await runSchedule(app, 'dispatch-deliveries');
  await until(async () => (await list('?status=waiting')).data[0]?.attempts > 0);
  const [waiting] = (await list('?status=waiting')).data;
  assert.match(waiting.error, /out of order/);
  const failing = await show(app, id);
  assert.equal(failing.status, 'failing');
  assert.match(failing.health.last_error.message, /out of order/);
  gitea.fault = () => undefined;
  await settled(app);
  const [done] = (await list('?status=done&limit=1')).data;
  assert.deepEqual([done.id, done.error], [waiting.id, null]);
  assert.equal((await show(app, id)).status, 'ready');
});

test('a secret replaced or a connection removed on one node takes effect immediately on the others', async () => {
  const other = await app.secondNode();
  const own = await connect(app, { ...request, organizations: ['other'] });
  const at = async (secret: string) => {
    const body = payload();
    const headers = { 'x-gitea-event': 'pull_request', 'x-gitea-delivery': randomUUID() };
    const answer = await other.call('POST', `/hooks/${own.id}`, {
      body,
      headers: { ...headers, 'x-gitea-signature': sign(body, secret) },
    });
    return answer.status;
  };
  assert.equal(await at(own.webhook.secret), 202);
  const path = `${connectionsPath}/${own.id}`;
  assert.equal((await app.operator('PATCH', path, { webhook_secret: 'another-secret' })).status, 200);
  assert.equal(await at('another-secret'), 202);
  assert.equal(await at(own.webhook.secret), 202, 'the former one for 24 hours');
  app.now = new Date(app.now.getTime() + 25 * 3_600_000);
  assert.equal(await at(own.webhook.secret), 401);
  assert.equal(await at('another-secret'), 202);
  assert.equal((await app.operator('DELETE', path)).status, 204);
  assert.equal(await at('another-secret'), 404);
});

test('deliveries that are stored together each get their own response', async () => {
  const before = (await list()).data.length;
  const [first, second] = [payload(1), payload(2)];
  const twice = { 'x-gitea-signature': sign(first), 'x-gitea-delivery': randomUUID() };
  const answers = await Promise.all([
    send(first, twice),
    send(first, twice),
    send(second, { 'x-gitea-signature': sign(second) }),
    send(second, { 'x-gitea-signature': sign(first) }),
    send('{}', { 'x-gitea-signature': sign('{}') }),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202, 202, 401, 202],
  );
  assert.equal((await list()).data.length, Math.min(100, before + 3));
});
