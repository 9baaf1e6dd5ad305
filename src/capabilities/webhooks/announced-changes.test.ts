import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startLearnings } from '../../../test/learnings-fixture.ts';
import { lifecycleOf } from '../../../test/learnings-lifecycle.ts';
import { member, sampleKeys } from '../../../test/sample-platform.ts';
import { finding } from '../../../test/scanned-organization.ts';
import { approveLearnings, disapproveLearnings } from '../learnings/lifecycle/decide-learnings.ts';
import { announcementTypes } from './announcement.ts';

const server = await startLearnings();
const { key } = server;
const userKey = await server.createKey(sampleKeys.user);
const { decide, setDelays, stateOf, after } = lifecycleOf(server);
const start = server.now;
const created = await server.call('POST', '/v1/webhooks', {
  key,
  body: { url: 'https://198.51.99.1/', types: announcementTypes },
});
assert.equal(created.status, 201, created.text);

beforeEach(async () => {
  server.now = start;
  await server.resetLimits();
  await server.database.sql`DELETE FROM webhook_deliveries`;
});

/** The announcements since the test began, oldest first. */
async function announced() {
  return [
    ...(await server.database.sql`SELECT type, subject, data FROM webhook_deliveries ORDER BY position`),
  ];
}
const identity = { provider: 'github', provider_organization_id: '1001' };

test('a Learning that waits for approval, and what people and the deadline decide', async () => {
  await setDelays(3, null);
  await server.database.sql`DELETE FROM webhook_deliveries`;
  for (const text of ['first text', 'second text', 'third text']) await server.capture(text);
  const ids = await Promise.all(
    ['first text', 'second text', 'third text'].map(async (text) => (await stateOf(text))!.id as string),
  );
  const pending = await announced();
  assert.deepEqual(
    pending.map(({ type, subject }) => [type, subject]),
    ids.map((id) => ['postil.learning.pending', `learnings/${id}`]),
  );
  assert.deepEqual(
    [pending[0]!.data.learning, pending[0]!.data.approval_deadline, pending[0]!.data.repository_id],
    ['first text', after(3).toISOString(), '501'],
  );
  await decide(approveLearnings, [ids[0]!]);
  await decide(disapproveLearnings, [ids[1]!]);
  await decide(approveLearnings, [ids[1]!]);
  server.now = after(4);
  await server.runSchedule('learnings-lifecycle');
  const decided = (await announced()).slice(3);
  assert.deepEqual(
    decided.map(({ type, subject, data }) => [type, subject, data.decision, data.decided_by]),
    [
      ['postil.learning.decided', `learnings/${ids[0]}`, 'approved', 'user-9001'],
      ['postil.learning.decided', `learnings/${ids[1]}`, 'disapproved', 'user-9001'],
      ['postil.learning.decided', `learnings/${ids[2]}`, 'approved', null],
    ],
  );
});

test('nothing for a Learning that needs no approval', async () => {
  await setDelays(0, null);
  await server.database.sql`DELETE FROM webhook_deliveries`;
  await server.capture('needs no approval');
  await server.create('written through the API');
  assert.deepEqual(await announced(), []);
});

test('security findings that open, are fixed, and open again; a scan that arrives late changes nothing', async () => {
  const scan = (day: number, findings: unknown[]) =>
    server.event(
      'postil.security_scan',
      {
        repository_id: '501',
        scan_id: `scan-${day}`,
        revision: `rev-${day}`,
        coverage_scope: 'repository',
        findings,
      },
      new Date(Date.UTC(2026, 0, day)),
    );
  const one = finding({ title: 'one', rule_id: 'one' });
  const two = finding({ title: 'two', rule_id: 'two' });
  await scan(5, [one]);
  await scan(6, [one, two]);
  await scan(7, [two]);
  await scan(4, [one, two]);
  await scan(8, [one, two]);
  const all = await announced();
  assert.deepEqual(
    all.map(({ type, data }) => [type, data.title, data.state]),
    [
      ['postil.security.opened', 'one', 'open'],
      ['postil.security.opened', 'two', 'open'],
      ['postil.security.fixed', 'one', 'fixed'],
      ['postil.security.opened', 'one', 'open'],
    ],
  );
  const listed = await server.get('/v1/security/scans/code?state=all', key);
  const entry = listed.json.data.find(({ title }: { title: string }) => title === 'one');
  assert.deepEqual(all.at(-1)!.data, entry);
  assert.equal(all.at(-1)!.subject, `security-findings/${entry.id}`);
});

test('each webhook gets only what it subscribes to of what one change announces', async () => {
  const { json: narrow } = await server.call('POST', '/v1/webhooks', {
    key,
    body: { url: 'https://198.51.99.2/', types: ['postil.security.fixed'] },
  });
  const scan = (day: number, ...titles: string[]) =>
    server.event(
      'postil.security_scan',
      {
        repository_id: '502',
        scan_id: `scan-of-502-${day}`,
        revision: `rev-${day}`,
        coverage_scope: 'repository',
        findings: titles.map((title) => finding({ title, rule_id: title })),
      },
      new Date(Date.UTC(2026, 0, day)),
    );
  await scan(5, 'old');
  await scan(6, 'new');
  const sentTo = async (id: string) =>
    (await server.database.sql`SELECT type FROM webhook_deliveries WHERE webhook_id = ${id}`)
      .map(({ type }) => type)
      .sort();
  assert.deepEqual(await sentTo(narrow.id), ['postil.security.fixed']);
  assert.deepEqual(await sentTo(created.json.id), [
    'postil.security.fixed',
    'postil.security.opened',
    'postil.security.opened',
  ]);
  await server.call('DELETE', `/v1/webhooks/${narrow.id}`, { key });
});

test('members who are added, get a role or a seat, and leave', async () => {
  const seats = (action: string) =>
    server.call('POST', '/v1/users/seats', { key, body: { action, user_ids: ['9050'] } });
  await server.platform({ organizations: [{ ...identity, members: [member('9050')] }] });
  await server.platform({ organizations: [{ ...identity, members: [member('9050')] }] });
  await seats('assign');
  await seats('assign');
  await server.call('POST', '/v1/users/roles', { key, body: { role: 'cr_admin', user_ids: ['9050'] } });
  await server.platform({ organizations: [{ ...identity, members: [member('9050', { active: false })] }] });
  const all = await announced();
  assert.deepEqual(
    all.map(({ data }) => [data.actions, data.role, data.seat_assigned, data.active]),
    [
      [['member.created'], 'cr_member', false, true],
      [['seat.assigned'], 'cr_member', true, true],
      [['member.role_changed'], 'cr_admin', true, true],
      [['member.updated'], 'cr_member', false, false],
    ],
  );
  assert.deepEqual(
    [...new Set(all.map(({ type, subject }) => `${type} ${subject}`))],
    ['postil.member.changed users/9050'],
  );
  assert.deepEqual(Object.keys(all[0]!.data), [
    'user_id',
    'username',
    'email',
    'role',
    'role_name',
    'role_type',
    'seat_assigned',
    'active',
    'actions',
  ]);
});

test('a review that has ended, once, as lists show it', async () => {
  await server.platform({
    organizations: [{ ...identity, members: [member('9001', { role: 'cr_admin', seat: true })] }],
  });
  await server.database.sql`DELETE FROM webhook_deliveries`;
  const diff =
    'diff --git a/a.txt b/a.txt\nnew file mode 100644\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+text\n';
  const review = await server.call('POST', '/v1/reviews', {
    key: userKey,
    body: { repository_id: '501', diff },
  });
  assert.equal(review.status, 202, review.text);
  const one = `/v1/reviews/${review.json.id}`;
  await server.call('DELETE', one, { key: userKey });
  await server.call('DELETE', one, { key: userKey });
  const all = await announced();
  assert.deepEqual(
    all.map(({ type, subject, data }) => [type, subject, data.status]),
    [['postil.review.finished', `reviews/${review.json.id}`, 'cancelled']],
  );
  const listed = await server.get('/v1/reviews', userKey);
  assert.deepEqual(all[0]!.data, listed.json.data[0]);
});

test('nothing of other organizations, and nothing that was rejected', async () => {
  await server.platform({
    organizations: [{ provider: 'github', provider_organization_id: '3001', members: [member('9060')] }],
  });
  const broken = {
    organizations: [{ ...identity, members: [member('9061'), member('9062', { role: 'no-such-role' })] }],
  };
  assert.equal((await server.operator('PUT', '/operator/v1/platform', broken)).status, 400);
  assert.deepEqual(await announced(), []);
});
