import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { member, organization, samplePlatform } from '../../../test/sample-platform.ts';
import { signInAs } from '../../../test/session.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
await server.platform({
  workspaces: [{ slug: 'wide', name: 'Wide', admins: ['boss@wide.test'] }],
  organizations: Array.from({ length: 120 }, (_, index) =>
    organization({
      provider_organization_id: String(6000 + index),
      name: `Branch ${String(index).padStart(3, '0')}`,
      workspace: 'wide',
      repositories: [],
      members: index === 119 ? [member('9300')] : [],
    }),
  ),
});
const admin = await signInAs(server, 'root@postil.test', { isInstallationAdmin: true });
const one = await signInAs(server, 'user-9300@acme.test');
const workspaceAdmin = await signInAs(server, 'boss@wide.test');

const get = async (session: typeof admin, path: string) => {
  const answer = await session.call('GET', `/dashboard/v1/${path}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const namesOf = ({ organizations }: { organizations: { name: string }[] }) =>
  organizations.map(({ name }) => name);

describe('what a person can look at', () => {
  test('the session lists the first hundred organizations by name, and says that there are more', async () => {
    for (const session of [admin, workspaceAdmin]) {
      const { organizations, has_more } = await get(session, 'session');
      assert.deepEqual([organizations.length, organizations[0].name, has_more], [100, 'Branch 000', true]);
    }
    const { organizations, has_more } = await get(one, 'session');
    assert.deepEqual([namesOf({ organizations }), has_more], [['Branch 119'], false]);
    assert.equal(organizations[0].is_admin, false);
    assert.ok(organizations[0].permissions.includes('learning:write'));
  });

  test('a search finds the others, in whatever case, and only what the person can see', async () => {
    const found = await get(admin, 'places?search=BRANCH%2011');
    assert.equal(found.organizations.length, 10);
    assert.equal(found.has_more, false);
    assert.deepEqual(namesOf(await get(admin, 'places?search=org-3001')), ['org-3001']);
    const workspaces = await get(admin, 'places?search=acme');
    assert.deepEqual(
      workspaces.workspaces.map(({ name }: { name: string }) => name),
      ['Acme Inc'],
    );
    assert.deepEqual(namesOf(await get(workspaceAdmin, 'places?search=org-3001')), []);
    assert.deepEqual(namesOf(await get(one, 'places?search=branch')), ['Branch 119']);
    assert.deepEqual(namesOf(await get(admin, 'places?search=%25')), [], 'signs have no special meaning');
  });

  test('an organization is found by its id, and a workspace with all its organizations', async () => {
    const [last] = (await get(admin, 'places?search=branch%20119')).organizations;
    const [wide] = (await get(admin, 'places?search=wide')).workspaces;
    for (const session of [admin, workspaceAdmin, one])
      assert.deepEqual(namesOf(await get(session, `places/organization:${last.id}`)), ['Branch 119']);
    for (const session of [admin, workspaceAdmin]) {
      const { workspaces, organizations } = await get(session, `places/workspace:${wide.id}`);
      assert.deepEqual([workspaces.length, organizations.length], [1, 120]);
    }
    const nothing = { workspaces: [], organizations: [], has_more: false };
    assert.deepEqual(await get(one, `places/workspace:${wide.id}`), nothing);
    const [other] = (await get(admin, 'places?search=org-3001')).organizations;
    for (const session of [workspaceAdmin, one])
      assert.deepEqual(await get(session, `places/organization:${other.id}`), nothing);
    assert.equal((await admin.call('GET', '/dashboard/v1/places/organization:1')).status, 400);
  });
});
