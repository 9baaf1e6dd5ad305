import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { sampleKeys, samplePlatform } from '../../../../test/sample-platform.ts';
import { startWebhookReceiver } from '../../../../test/webhook-receiver.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { announce } from '../announce.ts';

const server = await startTestApp({
  settings: { customerAddresses: { ranges: [['127.0.0.1', 32]], hosts: [] } },
});
await server.platform(samplePlatform());
const receiver = await startWebhookReceiver();
after(() => receiver.close());
const type = 'postil.member.changed';

async function organization(orgId: string) {
  const key = await server.createKey({ ...sampleKeys.organization, org_id: orgId, expires_at: null });
  const [row] = await server.database.sql<{ id: OrganizationId }[]>`
    SELECT id FROM organizations WHERE provider_organization_id = ${orgId} AND instance_id IS NULL`;
  return { key, id: row!.id };
}

async function create(key: string, path: string) {
  const { status, text } = await server.call('POST', '/v1/webhooks', {
    key,
    body: { url: `${receiver.url}/${path}`, types: [type] },
  });
  assert.equal(status, 201, text);
}

const happen = ({ id }: { id: OrganizationId }, subjects: number) =>
  server.database.transaction(async (tx) => {
    await tx`UPDATE organizations SET name = name WHERE id = ${id}`;
    const announcements = Array.from({ length: subjects }, (_, number) => ({
      organizationId: id,
      type: type as 'postil.member.changed',
      subject: `users/${number}`,
      data: {},
    }));
    await announce(tx, server.now, announcements);
  });

test('webhooks that never answer, as many as an organization may have, do not delay those of others', async () => {
  server.now = new Date();
  const [slow, other] = [await organization('1001'), await organization('3001')];
  // No request is ever answered, so a delivery that arrives cannot have waited for a place or connection to become free.
  receiver.react = () => () => {};
  for (let number = 0; number < 40; number += 1) {
    await create(slow.key, 'slow');
    await server.resetLimits();
  }
  await create(other.key, 'other');
  await happen(slow, 10);
  // The other organization's deliveries are due last, so that first come, first served would send them last.
  server.now = new Date(server.now.getTime() + 1000);
  await happen(other, 5);
  const stop = new AbortController();
  const schedule = server.app.schedules.find(({ name }) => name === 'deliver webhooks')!;
  const delivering = schedule.run(stop.signal);
  const arrived = (path: string) => receiver.calls.filter((call) => call.path === `/${path}`).length;
  try {
    while (arrived('other') < 5) await receiver.received(receiver.calls.length + 1);
    // One organization alone gets a third of the places; 400 of its deliveries are due.
    assert.ok(arrived('slow') <= 86, `${arrived('slow')} of the other organization came first`);
  } finally {
    stop.abort();
    await delivering;
  }
});
