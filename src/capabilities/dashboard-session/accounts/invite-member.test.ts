import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { member, samplePlatform } from '../../../../test/sample-platform.ts';
import { fromDashboard, password, signInAs } from '../../../../test/session.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
await server.platform({
  workspaces: [{ slug: 'acme', admins: ['user-9001@acme.test', 'boss@here.test'] }],
  organizations: [
    {
      provider: 'github',
      provider_organization_id: '3001',
      members: [
        member('8001', { email: 'only@here.test' }),
        member('8002', { email: null }),
        member('8004', { email: 'boss@here.test' }),
      ],
    },
    {
      provider: 'github',
      provider_organization_id: '1001',
      members: [member('8003', { email: 'ws@here.test' })],
    },
    {
      provider: 'github',
      provider_organization_id: '1002',
      members: [member('8003', { email: 'ws@here.test' })],
    },
  ],
});
const admin = await signInAs(server, 'user-9001@acme.test');
const idOf = async (orgId: string) =>
  (await server.database.sql`SELECT id FROM organizations WHERE provider_organization_id = ${orgId}`)[0]!.id;
const alone = `organization:${await idOf('3001')}`;
const [{ id: workspaceId }] = (await server.database.sql`SELECT id FROM workspaces`) as unknown as [
  { id: string },
];
const invite = (scope: string, email: string) =>
  admin.call('POST', `/dashboard/v1/people/invitations?scope=${scope}`, { body: { email } });

test('an admin invites a member with a link that works once, and the audit log of the organization says who did it', async () => {
  const invited = await invite(alone, 'Only@Here.test');
  assert.equal(invited.status, 201, invited.text);
  const shown = await admin.call('GET', `/dashboard/v1/people?scope=${alone}&search=only@`);
  assert.equal(shown.json.users[0].dashboard, 'invited');
  const [entry] = await server.database.sql`
    SELECT e.actor_name, e.resource_summary FROM audit_entries e JOIN organizations o ON o.id = e.organization_id
    WHERE e.action = 'dashboard.invited' AND o.provider_organization_id = '3001'`;
  assert.deepEqual({ ...entry }, { actor_name: 'user-9001', resource_summary: 'only@here.test' });
  const accept = () =>
    server.call('POST', '/dashboard/v1/invitations/accept', {
      headers: fromDashboard,
      body: { token: new URL(invited.json.url).hash.slice(1), password },
    });
  assert.equal((await accept()).status, 204);
  assert.ok((await accept()).status >= 400);
});

test('nobody can be invited, and so taken over, who can sign in already or has rights where the admin has none', async () => {
  const count = async () =>
    (await server.database.sql`SELECT count(*)::int AS count FROM dashboard_invitations`)[0]!.count;
  const before = await count();
  // Can sign in already; belongs to other organizations; is admin of a workspace; is in none; is in an organization outside the scope.
  for (const [scope, email, status] of [
    [alone, 'only@here.test', 409],
    [alone, 'user-9001@acme.test', 409],
    [alone, 'user-9002@acme.test', 409],
    [`organization:${await idOf('1001')}`, 'ws@here.test', 409],
    [alone, 'boss@here.test', 409],
    [alone, 'stranger@here.test', 404],
    [alone, 'ws@here.test', 404],
    [alone, 'no address', 400],
  ] as const)
    assert.equal((await invite(scope, email)).status, status, `${email} in ${scope}`);
  assert.equal(await count(), before);
});

test('an admin of a workspace invites people of several of its organizations', async () => {
  const invited = await invite(`workspace:${workspaceId}`, 'ws@here.test');
  assert.equal(invited.status, 201, invited.text);
});
