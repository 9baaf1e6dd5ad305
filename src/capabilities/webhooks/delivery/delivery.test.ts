import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp, type TestApp } from '../../../../test/harness.ts';
import { sampleKeys, samplePlatform } from '../../../../test/sample-platform.ts';
import { startWebhookReceiver, verify } from '../../../../test/webhook-receiver.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { newUuid } from '../../../lib/uuid.ts';
import { createOutbound } from '../../../outbound/outbound.ts';
import { announce } from '../announce.ts';
import { retriedMs } from './retry-schedule.ts';

const settings = {
  customerAddresses: { ranges: [['127.0.0.1', 32]], hosts: ['localhost'] },
} as const;
const server = await startTestApp({ settings });
await server.platform(samplePlatform());
const key = await server.createKey({ ...sampleKeys.organization, expires_at: null });
const receiver = await startWebhookReceiver();
after(() => receiver.close());
const [own] = await server.database.sql<{ id: OrganizationId }[]>`
  SELECT id FROM organizations WHERE provider_organization_id = '1001' AND provider = 'github' AND instance_id IS NULL`;
const organizationId = own!.id;

beforeEach(async () => {
  await server.resetLimits();
  await server.database.sql`DELETE FROM webhook_deliveries`;
  await server.database.sql`DELETE FROM webhooks`;
  // Receivers compare the time of a signature with their own.
  server.now = new Date();
  receiver.calls.length = 0;
  receiver.react = () => 204;
});

const type = 'postil.member.changed';
const path = '/v1/webhooks';
async function create(fields: object = {}) {
  const answer = await server.call('POST', path, {
    key,
    body: { url: `${receiver.url}/hook`, types: [type], ...fields },
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.json as { id: string; secret: string };
}
const happen = (subject: string, data: object = {}) =>
  server.database.transaction(async (tx) => {
    await tx`UPDATE organizations SET name = name WHERE id = ${organizationId}`;
    await announce(tx, server.now, [{ organizationId, type, subject, data }]);
  });

/** Runs the schedule until nothing is due, on this node or another. */
async function deliver(node: Pick<TestApp, 'app'> = server) {
  const schedule = node.app.schedules.find(({ name }) => name === 'deliver webhooks')!;
  await schedule.run(new AbortController().signal);
}
const post = (target: string, body?: object) => server.call('POST', `${path}/${target}`, { key, body });
const deliveries = async (id: string) => (await server.get(`${path}/${id}/deliveries`, key)).json.data;
const webhookOf = async (id: string) =>
  (await server.get(path, key)).json.data.find((webhook: { id: string }) => webhook.id === id);
const later = (ms: number) => {
  server.now = new Date(server.now.getTime() + ms);
};

describe('what arrives', () => {
  test('a CloudEvent that the public library verifies', async () => {
    const { id, secret } = await create();
    await happen('members/9002', { user_id: '9002', text: 'ünïcode \u2028 "quoted"' });
    await deliver();
    const [call] = receiver.calls;
    verify(secret, call!);
    assert.throws(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, call!));
    assert.throws(() => verify(secret, { ...call!, body: call!.body.replace('9002', '9003') }));
    assert.equal(call!.headers['content-type'], 'application/cloudevents+json; charset=utf-8');
    const [listed] = await deliveries(id);
    assert.deepEqual(call!.event, {
      specversion: '1.0',
      id: call!.headers['webhook-id'],
      source: `/organizations/${organizationId}`,
      type,
      subject: 'members/9002',
      time: listed.created_at,
      provider: 'github',
      orgid: '1001',
      datacontenttype: 'application/json',
      data: { user_id: '9002', text: 'ünïcode \u2028 "quoted"' },
    });
    assert.deepEqual(
      [listed.id, listed.status, listed.attempts, listed.response, listed.error, listed.next_attempt_at],
      [call!.headers['webhook-id'], 'delivered', 1, { status: 204, body: '' }, null, null],
    );
  });

  test('only what the webhook subscribes to, and only while it is active', async () => {
    const { id } = await create({ types: ['postil.security.opened'] });
    await happen('members/1');
    await server.call('PATCH', `${path}/${id}`, { key, body: { types: [type], active: false } });
    await happen('members/2');
    await server.call('PATCH', `${path}/${id}`, { key, body: { active: true } });
    await happen('members/3');
    await deliver();
    assert.deepEqual(
      receiver.calls.map(({ event }) => event.subject),
      ['members/3'],
    );
  });

  test('what waited when the webhook was paused, only once it is active again', async () => {
    const { id } = await create();
    await happen('members/1');
    await server.call('PATCH', `${path}/${id}`, { key, body: { active: false } });
    await deliver();
    assert.equal(receiver.calls.length, 0);
    await server.call('PATCH', `${path}/${id}`, { key, body: { active: true } });
    await deliver();
    assert.equal(receiver.calls.length, 1);
  });

  test('a test event, also while the webhook is paused', async () => {
    const { id, secret } = await create({ active: false });
    const accepted = await post(`${id}/test`);
    assert.equal(accepted.status, 202);
    await deliver();
    const [call] = receiver.calls;
    verify(secret, call!);
    assert.deepEqual(
      [call!.event.type, call!.event.id, call!.event.data.requested_by],
      ['postil.webhook.test', accepted.json.id, 'user-9001'],
    );
  });

  test('a replay keeps its webhook-id, whatever became of the delivery', async () => {
    const { id, secret } = await create();
    await happen('members/1', { number: 1 });
    await deliver();
    const [first] = receiver.calls;
    later(60_000);
    assert.equal((await post(`${id}/deliveries/${first!.event.id}/replay`)).status, 202);
    await deliver();
    const [, second] = receiver.calls;
    verify(secret, second!);
    assert.equal(second!.headers['webhook-id'], first!.headers['webhook-id']);
    assert.equal(second!.body, first!.body);
    const [listed] = await deliveries(id);
    assert.deepEqual([listed.status, listed.attempts], ['delivered', 2]);
  });
});

describe('a receiver that fails', () => {
  test('is tried again within 10 s, then after growing pauses; what it answered is shown', async () => {
    receiver.react = () => 500;
    const { id } = await create();
    await happen('members/1');
    let last = server.now;
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await deliver();
      assert.equal(receiver.calls.length, attempt);
      const [listed] = await deliveries(id);
      assert.deepEqual(
        [listed.status, listed.attempts, listed.response, listed.error],
        ['waiting', attempt, { status: 500, body: 'an answer' }, 'the receiver answered 500'],
      );
      const next = new Date(listed.next_attempt_at);
      pauses.push(next.getTime() - last.getTime());
      await deliver();
      assert.equal(receiver.calls.length, attempt, 'not before its time');
      server.now = last = next;
    }
    assert.ok(pauses[0]! <= 8_000, 'the schedule runs every second');
    assert.deepEqual(
      pauses,
      pauses.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.notEqual((await webhookOf(id)).failing_since, null);
    receiver.react = () => 200;
    await deliver();
    const [listed] = await deliveries(id);
    assert.deepEqual([listed.status, listed.error], ['delivered', null]);
    assert.equal((await webhookOf(id)).failing_since, null);
  });

  test('holds back later events of the same subject only, and those arrive in order', async () => {
    receiver.react = ({ event }) => (event.subject === 'bad' ? 503 : 204);
    await create();
    for (let number = 1; number <= 5; number += 1) {
      await happen('bad', { number });
      await happen('good', { number });
    }
    await deliver();
    const numbersOf = (subject: string) =>
      receiver.calls.filter(({ event }) => event.subject === subject).map(({ event }) => event.data.number);
    assert.deepEqual([numbersOf('good'), numbersOf('bad')], [[1, 2, 3, 4, 5], [1]]);
    await happen('bad', { number: 6 });
    await deliver();
    assert.deepEqual(numbersOf('bad'), [1]);
    receiver.react = () => 204;
    later(10_000);
    await deliver();
    assert.deepEqual(numbersOf('bad'), [1, 1, 2, 3, 4, 5, 6]);
  });

  test('for 3 days is paused with a notice and an audit entry; resumed, it gets what was waiting', async () => {
    receiver.react = () => 500;
    const { id } = await create();
    await happen('members/1', { number: 1 });
    await happen('members/1', { number: 2 });
    await deliver();
    const began = server.now;
    while ((await webhookOf(id)).active) {
      const listed = await deliveries(id);
      server.now = new Date(listed.at(-1).next_attempt_at);
      assert.ok(server.now.getTime() <= began.getTime() + retriedMs);
      await deliver();
    }
    assert.equal(server.now.getTime() - began.getTime(), retriedMs, 'tried until the last moment');
    const { notice } = await webhookOf(id);
    assert.match(notice.message, /failed for 3 days.*answered 500/);
    const [second, first] = await deliveries(id);
    assert.deepEqual([first.status, second.status], ['failed', 'waiting']);
    const [entry] = await server.database.sql`
      SELECT actor_type FROM audit_entries WHERE resource_id = ${id} AND action = 'webhook.paused'`;
    assert.equal(entry!.actor_type, 'system');
    await happen('members/1', { number: 3 });
    receiver.calls.length = 0;
    receiver.react = () => 204;
    await deliver();
    assert.equal(receiver.calls.length, 0);
    await server.call('PATCH', `${path}/${id}`, { key, body: { active: true } });
    await deliver();
    assert.deepEqual(
      receiver.calls.map(({ event }) => event.data.number),
      [2],
    );
    assert.equal((await webhookOf(id)).notice, null);
    receiver.react = () => 500;
    await post(`${id}/deliveries/${first.id}/replay`);
    await deliver();
    assert.equal((await deliveries(id)).at(-1).status, 'waiting', 'what is sent again has three days again');
    receiver.react = () => 204;
    later(10_000);
    await deliver();
    assert.equal(receiver.calls.at(-1)!.event.data.number, 1);
  });

  test('is tried at once when its address is mended', async () => {
    receiver.react = ({ path: called }) => (called === '/hook' ? 500 : 204);
    const { id } = await create();
    await happen('members/1');
    await deliver();
    await server.call('PATCH', `${path}/${id}`, { key, body: { url: `${receiver.url}/mended` } });
    await deliver();
    assert.deepEqual(
      receiver.calls.map(({ path: called }) => called),
      ['/hook', '/mended'],
    );
  });

  test('and answers 410 is paused at once', async () => {
    receiver.react = () => 410;
    const { id } = await create();
    await happen('members/1');
    await deliver();
    const webhook = await webhookOf(id);
    assert.equal(webhook.active, false);
    assert.match(webhook.notice.message, /410/);
    assert.equal((await deliveries(id))[0].status, 'failed');
  });

  test('for good does not keep what was sent again after it', async () => {
    const { id } = await create();
    for (const number of [1, 2]) await happen('members/1', { number });
    await deliver();
    await server.call('PATCH', `${path}/${id}`, { key, body: { active: false } });
    receiver.calls.length = 0;
    receiver.react = ({ event }) => (event.data.number === 1 ? 410 : 204);
    for (const { id: delivery } of await deliveries(id)) await post(`${id}/deliveries/${delivery}/replay`);
    await deliver();
    assert.deepEqual(
      receiver.calls.map(({ event }) => event.data.number),
      [1, 2],
    );
    assert.deepEqual(
      (await deliveries(id)).map(({ status }: { status: string }) => status),
      ['delivered', 'failed'],
    );
    const paused = await server.database.sql`
      SELECT 1 FROM audit_entries WHERE resource_id = ${id} AND action = 'webhook.paused'`;
    assert.equal(paused.length, 0, 'it was paused before');
  });

  test('with a redirect has failed, and nobody is called instead', async () => {
    receiver.react = () => (response) =>
      void response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end();
    const { id } = await create();
    await happen('members/1');
    await deliver();
    assert.deepEqual(
      receiver.calls.map(({ path: called }) => called),
      ['/hook'],
    );
    assert.match((await deliveries(id))[0].error, /redirect \(302\)/);
  });

  test('with an endless answer costs little, and its status counts', async () => {
    receiver.react = () => (response) => {
      response.writeHead(200);
      const pour = () => {
        while (response.write(Buffer.alloc(64 * 1024, 'a')));
      };
      response.on('drain', pour);
      pour();
    };
    const { id } = await create();
    await happen('members/1');
    await deliver();
    const [listed] = await deliveries(id);
    assert.deepEqual([listed.status, listed.response.body], ['delivered', 'a'.repeat(1024)]);
  });

  test('with what looks like a credential in its answer: it is not shown', async () => {
    const token = `ghp_${'aB3dE6gH9k'.repeat(4).slice(0, 36)}`;
    receiver.react = () => (response) => void response.writeHead(500).end(`token ${token} is wrong`);
    const { id } = await create();
    await happen('members/1');
    await deliver();
    assert.doesNotMatch((await deliveries(id))[0].response.body, /ghp_/);
  });

  test('to answer at all delays nobody else', async () => {
    const silent = await create({ url: `${receiver.url}/silent` });
    const quick = await create({ url: `${receiver.url}/quick` });
    receiver.react = (call) => (call.path === '/silent' ? () => {} : 204);
    for (let number = 0; number < 20; number += 1) await happen(`members/${number}`);
    const stop = new AbortController();
    const schedule = server.app.schedules.find(({ name }) => name === 'deliver webhooks')!;
    const running = schedule.run(stop.signal);
    // Not through HTTP, because polling on a slow machine would exceed the rate limit.
    const waiting = () =>
      server.database
        .sql`SELECT 1 FROM webhook_deliveries WHERE webhook_id = ${quick.id} AND status <> 'delivered'`;
    while ((await waiting()).length > 0) await sleep(50);
    assert.ok((await deliveries(silent.id)).every(({ attempts }: { attempts: number }) => attempts === 0));
    assert.ok(receiver.calls.filter((call) => call.path === '/silent').length <= 8, 'a few at a time');
    stop.abort();
    await running;
  });
});

test('an address is checked when connecting: a name that leads inside by then is refused, and so is a redirect there', async () => {
  let address = '127.0.0.1';
  const guarded = createOutbound(
    (found) => found === '127.0.0.1',
    (_host, _options, done) => done(null, [{ address, family: 4 }]),
  );
  after(() => guarded.close());
  const node = await startTestApp({ settings, customerOutbound: guarded });
  await node.platform(samplePlatform());
  const own = await node.createKey(sampleKeys.organization);
  const url = receiver.url.replace('127.0.0.1', 'rebinding.invalid');
  const created = await node.call('POST', path, { key: own, body: { url, types: [type] } });
  assert.equal(created.status, 201, created.text);
  const errorOfTest = async () => {
    const requested = await node.call('POST', `${path}/${created.json.id}/test`, { key: own });
    assert.equal(requested.status, 202);
    await deliver(node);
    const { json } = await node.get(`${path}/${created.json.id}/deliveries`, own);
    return json.data[0].error;
  };
  assert.equal(await errorOfTest(), null);
  receiver.react = () => (response) => {
    // The connection ends, so that the next delivery looks the name up.
    response.writeHead(307, { location: `${receiver.url}/inside`, connection: 'close' }).end();
  };
  assert.match(await errorOfTest(), /redirect/);
  assert.equal(receiver.calls.length, 2);
  address = '127.0.0.9';
  assert.match(await errorOfTest(), /internal address/);
  assert.equal(receiver.calls.length, 2);
});

test('two nodes do not send the same delivery, and another node takes over from one that died', async () => {
  const { id } = await create();
  for (let number = 0; number < 40; number += 1) await happen(`members/${number}`);
  const second = await server.secondNode();
  await Promise.all([deliver(), deliver(second)]);
  assert.equal(receiver.calls.length, 40);
  assert.equal(new Set(receiver.calls.map(({ event }) => event.id)).size, 40);
  await happen('members/1');
  const { sql } = server.database;
  const node = newUuid();
  await sql`INSERT INTO nodes (node, seen_at) VALUES (${node}, now())`;
  await sql`
    INSERT INTO taken_work (kind, key, node, times, taken_at)
    SELECT 'webhook delivery', id, ${node}, 1, now() FROM webhook_deliveries WHERE status = 'waiting'`;
  await deliver(second);
  assert.equal(receiver.calls.length, 40);
  // What the heartbeat of another node stores when a node is gone.
  await sql`UPDATE nodes SET lost_at = now() WHERE node = ${node}`;
  await deliver(second);
  assert.equal(receiver.calls.length, 41);
  assert.equal((await deliveries(id))[0].status, 'delivered');
});

test('a delivery that three nodes died of has failed; the next one and the webhook go on', async () => {
  const { id } = await create();
  await happen('members/1', { number: 1 });
  await happen('members/1', { number: 2 });
  const [first] = await server.database.sql`SELECT id FROM webhook_deliveries ORDER BY position`;
  await server.database.sql`
    INSERT INTO taken_work (kind, key, node, times, taken_at)
    VALUES ('webhook delivery', ${first!.id}, gen_random_uuid(), 3, now() - interval '1 minute')`;
  await deliver();
  await deliver();
  assert.deepEqual(
    receiver.calls.map(({ event }) => event.data.number),
    [2],
  );
  const listed = await deliveries(id);
  assert.deepEqual(
    listed.map(({ status, error }: { status: string; error: string | null }) => [status, error]),
    [
      ['delivered', null],
      ['failed', 'given up: the server ended again and again while it worked on this; its log says why'],
    ],
  );
  assert.equal((await webhookOf(id)).active, true);
  const left = await server.database.sql`SELECT key FROM taken_work`;
  assert.deepEqual([...left], [{ key: first!.id }]);
});

test('old deliveries are deleted, and what was behind them is sent', async () => {
  receiver.react = () => 500;
  const { id } = await create();
  await happen('members/1', { number: 1 });
  later(13 * 86_400_000);
  await happen('members/1', { number: 2 });
  await deliver();
  later(2 * 86_400_000);
  await server.app.schedules.find(({ name }) => name === 'prune webhooks')!.run(new AbortController().signal);
  receiver.react = () => 204;
  await deliver();
  assert.deepEqual(
    (await deliveries(id)).map(({ status }: { status: string }) => status),
    ['delivered'],
  );
  assert.equal(receiver.calls.at(-1)!.event.data.number, 2);
});
