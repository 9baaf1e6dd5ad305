import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, urlOf } from './postgres.ts';
import { createPostilProcess } from './postil-process.ts';
import { member, organization, sampleKeys } from './sample-platform.ts';
import { startWebhookReceiver, verify } from './webhook-receiver.ts';

const receiver = await startWebhookReceiver();
const { database, target, drop } = await createTestDatabase();
const postil = await createPostilProcess({ DATABASE_URL: urlOf(target), POSTIL_WEBHOOK_ALLOW: '127.0.0.1' });
after(async () => {
  await postil.remove();
  await receiver.close();
  await drop();
});

const identity = { provider: 'github', provider_organization_id: '1001' };
const userIds = ['9101', '9102', '9103'];
let serial = 0;

/** Renames a member repeatedly until the server is gone; returns the acknowledged names. */
async function renameUntilGone(userId: string): Promise<string[]> {
  const acknowledged: string[] = [];
  for (;;) {
    serial += 1;
    const username = `name-${serial}`;
    const document = { organizations: [{ ...identity, members: [member(userId, { username })] }] };
    const answer = await postil.call('PUT', '/operator/v1/platform', document).catch(() => undefined);
    if (answer === undefined) return acknowledged;
    assert.equal(answer.status, 200, JSON.stringify(answer.json));
    acknowledged.push(username);
    await sleep(20);
  }
}

test('kill -9 during deliveries: each arrives at least once, in order for its subject, and none is lost', async () => {
  await postil.start();
  const members = [member('9001', { role: 'cr_admin' }), ...userIds.map((userId) => member(userId))];
  const platform = { organizations: [organization({ ...identity, members })] };
  assert.equal((await postil.call('PUT', '/operator/v1/platform', platform)).status, 200);
  const key = await postil.call('POST', '/operator/v1/keys', { name: 'test', ...sampleKeys.organization });
  const hook = { url: receiver.url, types: ['postil.member.changed'] };
  const webhook = await postil.call('POST', '/v1/webhooks', hook, key.json.value);
  assert.equal(webhook.status, 201, JSON.stringify(webhook.json));

  const acknowledged: string[] = [];
  const held = new Map<string, string>();
  // After some answers the receiver accepts calls without answering, so that deliveries are in progress.
  receiver.react = ({ event, headers }) => {
    if (receiver.calls.length < 6) return 204;
    held.set(event.subject, headers['webhook-id']!);
    return () => {};
  };
  const writers = userIds.map(async (userId) => acknowledged.push(...(await renameUntilGone(userId))));
  while (held.size < userIds.length) await sleep(20);
  await postil.kill();
  await Promise.all(writers);
  receiver.react = () => 204;
  await postil.start();
  while ((await database.sql`SELECT 1 FROM webhook_deliveries WHERE status = 'waiting'`).length > 0)
    await sleep(50);

  for (const call of receiver.calls) verify(webhook.json.secret, call);
  for (const userId of userIds) {
    const subject = `users/${userId}`;
    const names = receiver.calls
      .filter(({ event }) => event.subject === subject)
      .map(({ event }) => event.data.username as string);
    const rows = await database.sql<{ username: string }[]>`
      SELECT data ->> 'username' AS username FROM webhook_deliveries WHERE subject = ${subject} ORDER BY position`;
    const announced = rows.map(({ username }) => username);
    assert.deepEqual([...new Set(names)], announced, 'all that were announced, in their order');
    const positions = names.map((name) => announced.indexOf(name));
    assert.deepEqual(
      positions,
      positions.toSorted((one, other) => one - other),
      'none overtakes another, and none comes back after a later one',
    );
  }
  const arrivals = Map.groupBy(receiver.calls, ({ headers }) => headers['webhook-id']);
  for (const id of held.values()) assert.ok(arrivals.get(id)!.length > 1, 'what was under way arrives again');
  const arrived = new Set(receiver.calls.map(({ event }) => event.data.username));
  for (const name of acknowledged) assert.ok(arrived.has(name), `${name} was acknowledged and is lost`);
  assert.equal(arrivals.size, arrived.size, 'a change has one id, however often it arrives');
});
