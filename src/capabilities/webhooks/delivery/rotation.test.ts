import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { sampleKeys, samplePlatform } from '../../../../test/sample-platform.ts';
import { startWebhookReceiver, verify } from '../../../../test/webhook-receiver.ts';

const hourMs = 3_600_000;
const path = '/v1/webhooks';
const server = await startTestApp({
  settings: { customerAddresses: { ranges: [['127.0.0.1', 32]], hosts: [] } },
});
await server.platform(samplePlatform());
const key = await server.createKey({ ...sampleKeys.organization, expires_at: null });
const receiver = await startWebhookReceiver();
after(() => receiver.close());

beforeEach(() => server.resetLimits());

const post = (target: string) => server.call('POST', `${path}${target}`, { key });
async function create(): Promise<{ id: string; secret: string }> {
  const body = { url: receiver.url, types: ['postil.member.changed'] };
  const created = await server.call('POST', path, { key, body });
  assert.equal(created.status, 201, created.text);
  return created.json;
}
async function rotate(id: string): Promise<string> {
  const rotated = await post(`/${id}/rotate`);
  assert.equal(rotated.status, 200, rotated.text);
  return rotated.json.secret;
}
const run = (name: string) =>
  server.app.schedules.find((schedule) => schedule.name === name)!.run(new AbortController().signal);

/** Rotates the secret as if some hours ago. */
async function rotateBefore(hours: number, id: string): Promise<string> {
  server.now = new Date(Date.now() - hours * hourMs);
  return rotate(id);
}

/** Sends an event and returns the secrets with which the public library verifies it. */
async function verifiedWith(id: string, secrets: readonly string[]): Promise<boolean[]> {
  server.now = new Date();
  assert.equal((await post(`/${id}/test`)).status, 202);
  await run('deliver webhooks');
  const call = receiver.calls.at(-1)!;
  return secrets.map((secret) => {
    try {
      verify(secret, call);
      return true;
    } catch {
      return false;
    }
  });
}
const storedSecrets = async () =>
  (await server.database.sql`SELECT 1 FROM sealed_secrets WHERE purpose = 'webhook secret'`).length;

test('every secret that was replaced signs for 24 hours, however many follow; then it is forgotten', async () => {
  const { id, secret: first } = await create();
  const second = await rotateBefore(25, id);
  const third = await rotateBefore(23, id);
  const fourth = await rotateBefore(1, id);
  const secrets = [first, second, third, fourth];
  assert.equal(new Set(secrets).size, 4);
  assert.deepEqual(await verifiedWith(id, secrets), [false, true, true, true]);
  await run('prune webhooks');
  assert.equal(await storedSecrets(), 3);
  assert.deepEqual(await verifiedWith(id, secrets), [false, true, true, true]);

  const other = await create();
  assert.deepEqual(await verifiedWith(other.id, [...secrets, other.secret]), [
    false,
    false,
    false,
    false,
    true,
  ]);
  for (const webhook of [id, other.id])
    assert.equal((await server.call('DELETE', `${path}/${webhook}`, { key })).status, 204);
  assert.equal(await storedSecrets(), 0);
});

test('a secret that is rotated too often is refused, and changes nothing', async () => {
  const { id, secret: first } = await create();
  server.now = new Date(Date.now() - 2 * hourMs);
  const secrets = [first];
  for (let number = 0; number < 20; number += 1) secrets.push(await rotate(id));
  const refused = await post(`/${id}/rotate`);
  assert.equal(refused.status, 409, refused.text);
  assert.match(refused.text, /at most 20 times in 24 hours/);
  assert.ok((await verifiedWith(id, secrets)).every(Boolean));
  server.now = new Date(Date.now() + 23 * hourMs);
  await rotate(id);
});
