import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp } from '../../../test/harness.ts';
import { sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';
import { startWebhookReceiver } from '../../../test/webhook-receiver.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { seededRandom } from '../../lib/seeded-random.ts';
import { announce } from './announce.ts';

const server = await startTestApp({
  settings: { customerAddresses: { ranges: [['127.0.0.1', 32]], hosts: [] } },
});
await server.platform(samplePlatform());
const key = await server.createKey(sampleKeys.organization);
const receiver = await startWebhookReceiver();
after(() => receiver.close());
const { sql } = server.database;
const [own] = await sql<{ id: OrganizationId }[]>`
  SELECT id FROM organizations WHERE provider_organization_id = '1001'`;
const organizationId = own!.id;
const type = 'postil.member.changed';
const create = () =>
  server.call('POST', '/v1/webhooks', { key, body: { url: `${receiver.url}/`, types: [type] } });
const announcementOf = (subject: string, data: object) => ({ organizationId, type, subject, data }) as const;

before(() => sql`CREATE TABLE counters (subject text PRIMARY KEY, value integer NOT NULL)`);
beforeEach(async () => {
  await server.resetLimits();
  await sql`DELETE FROM webhook_deliveries`;
  await sql`DELETE FROM webhooks`;
  await sql`DELETE FROM counters`;
  receiver.calls.length = 0;
  receiver.react = () => 204;
});

describe('a webhook that is created while something happens', () => {
  test('is not there before a change that did not see it has ended', async () => {
    let creating: Promise<unknown> | undefined;
    let isCreated = false;
    await server.database.transaction(async (tx) => {
      await tx`INSERT INTO counters VALUES ('a', 1)`;
      await announce(tx, server.now, [announcementOf('a', {})]);
      creating = create().then(() => {
        isCreated = true;
      });
      // Until the webhook has been stored, and a little longer.
      while ((await sql`SELECT 1 FROM webhooks`).length === 0) await sleep(10);
      await sleep(200);
      assert.equal(isCreated, false);
    });
    await creating;
    assert.equal((await sql`SELECT 1 FROM webhook_deliveries`).length, 0);
  });

  test('is told of a change that is announced after the webhook was stored', async () => {
    let creating: Promise<unknown> | undefined;
    await server.database.transaction(async (tx) => {
      await tx`INSERT INTO counters VALUES ('a', 1)`;
      creating = create();
      while ((await sql`SELECT 1 FROM webhooks`).length === 0) await sleep(10);
      await announce(tx, server.now, [announcementOf('a', {})]);
    });
    await creating;
    assert.equal((await sql`SELECT 1 FROM webhook_deliveries`).length, 1);
  });
});

test('a webhook that is removed at the same moment does not make a change fail', async () => {
  const { json: webhook } = await create();
  await server.database.transaction(async (tx) => {
    await tx`INSERT INTO counters VALUES ('a', 1)`;
    const removal = await server.call('DELETE', `/v1/webhooks/${webhook.id}`, { key });
    assert.equal(removal.status, 204);
    await announce(tx, server.now, [announcementOf('a', {})]);
  });
  assert.equal((await sql`SELECT 1 FROM counters`).length, 1);
});

const seeds = 2;

for (let seed = 1; seed <= seeds; seed += 1)
  test(`at least once, in order per subject, nothing lost and nothing invented (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const subjects = ['a', 'b', 'c'];
    await sql`INSERT INTO counters SELECT s, 0 FROM unnest(${subjects}::text[]) AS s`;
    await create();
    receiver.react = () =>
      random.chance(0.25) ? random.pick([500, 429, 302, (response) => response.destroy()]) : 204;
    const nodes = [server, await server.secondNode()];
    const change = async (subject: string, isUndone: boolean) => {
      const work = server.database.transaction(async (tx) => {
        const [row] =
          await tx`UPDATE counters SET value = value + 1 WHERE subject = ${subject} RETURNING value`;
        await announce(tx, server.now, [announcementOf(subject, { value: row!.value })]);
        if (isUndone) throw new Error('undone');
      });
      await work.catch((error: Error) => assert.equal(error.message, 'undone'));
    };
    const writers = Array.from({ length: 6 }, async () => {
      for (let count = 0; count < 15; count += 1) await change(random.pick(subjects), random.chance(0.3));
    });
    const stop = new AbortController();
    const senders = nodes.map(async ({ app }) => {
      const schedule = app.schedules.find(({ name }) => name === 'deliver webhooks')!;
      while (!stop.signal.aborted) {
        await schedule.run(stop.signal);
        // Time passes, so that what failed is due again.
        server.now = new Date(server.now.getTime() + 60_000);
        await sleep(5);
      }
    });
    await Promise.all(writers);
    while ((await sql`SELECT 1 FROM webhook_deliveries WHERE status = 'waiting'`).length > 0) await sleep(20);
    stop.abort();
    await Promise.all(senders);
    for (const subject of subjects) {
      const [row] = await sql`SELECT value FROM counters WHERE subject = ${subject}`;
      const values = receiver.calls
        .filter(({ event }) => event.subject === subject)
        .map(({ event }) => event.data.value);
      const expected = Array.from({ length: row!.value }, (_, index) => index + 1);
      assert.deepEqual([...new Set(values)], expected, `subject ${subject}`);
      assert.deepEqual(
        values,
        values.toSorted((one, other) => one - other),
        'none overtakes another',
      );
    }
  });
