import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { member } from '../../../test/sample-platform.ts';
import { startScimWorkspace } from '../../../test/scim-workspace.ts';

const server = await startTestApp();
beforeEach(() => server.resetLimits());

const roleOf = async (workspace: { orgId: string }, userId: string) => {
  const [row] = await server.database.sql`
    SELECT coalesce(r.name, m.role) AS role FROM members m JOIN organizations o ON o.id = m.organization_id
    LEFT JOIN roles r ON r.organization_id = m.organization_id AND r.id = m.custom_role_id
    WHERE o.provider_organization_id = ${workspace.orgId} AND m.provider_user_id = ${userId}`;
  return row!.role;
};

/** A workspace with a member whom a group can give a role, and two custom roles. */
async function startWithRoles() {
  const workspace = await startScimWorkspace(server);
  const { slug, orgId } = workspace;
  const email = `bob@${slug}.test`;
  const own = { provider: 'github', provider_organization_id: orgId };
  await server.platform({ organizations: [{ ...own, members: [member('3', { email })] }] });
  const key = await server.createKey({
    kind: 'organization',
    provider: 'github',
    org_id: orgId,
    owner: '1',
  });
  for (const name of ['Security Reviewers', 'Auditors']) {
    const made = await server.call('POST', '/v1/roles', {
      key,
      body: { name, permissions: [] },
    });
    assert.equal(made.status, 201, made.text);
  }
  const { id } = await workspace.createUser(email);
  const newGroup = async (displayName: string, members: { value: string }[] = []) => {
    const made = await workspace.call('POST', '/Groups', { displayName, members });
    assert.equal(made.status, 201, made.text);
    return `/Groups/${made.json.id}`;
  };
  return { ...workspace, own, email, key, id, newGroup, role: () => roleOf(workspace, '3') };
}

test('a group named after a role gives it in every organization that has it, and leaving takes it back', async () => {
  const { id, newGroup, patch, call, role, key } = await startWithRoles();
  const reviewers = await newGroup('postil security reviewers', [{ value: id }]);
  assert.equal(await role(), 'Security Reviewers');
  const auditors = await newGroup('Postil Auditors', [{ value: id }]);
  assert.equal(await role(), 'Auditors', 'the first by name');
  const billing = await newGroup('Postil Billing Admin', [{ value: id }]);
  assert.equal(await role(), 'Auditors', 'custom roles come first');
  await call('DELETE', auditors);
  await patch(reviewers, { op: 'replace', path: 'displayName', value: 'Reviewers' });
  assert.equal(await role(), 'cr_billing_admin');
  await patch(billing, { op: 'remove', path: `members[value eq "${id}"]` });
  assert.equal(await role(), 'cr_member');
  const log = await server.get('/v1/audit-logs', key);
  assert.equal(log.status, 200, log.text);
  const changes = log.json.data.filter(({ action }: { action: string }) => action === 'member.role_changed');
  assert.deepEqual(
    changes.map(({ metadata }: { metadata: { reason: string } }) => metadata.reason),
    Array(5).fill('identity_provider'),
  );
});

test('deactivation takes it, the return gives it again, and no document or sync changes it', async () => {
  const { id, newGroup, patch, role, own, email } = await startWithRoles();
  await newGroup('Postil Auditors', [{ value: id }]);
  const document = { organizations: [{ ...own, members: [member('3', { email })] }] };
  assert.deepEqual((await server.platform(document)).json.members, {
    created: 0,
    updated: 0,
    unchanged: 1,
  });
  assert.equal(await role(), 'Auditors');
  await patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
  assert.equal(await role(), 'cr_member');
  await patch(`/Users/${id}`, { op: 'replace', value: { active: true } });
  assert.equal(await role(), 'Auditors');
});

test('an account that appears later gets it too, and admins of Postil keep their role', async () => {
  const { slug, own, alice, createUser, newGroup, orgId } = await startWithRoles();
  const late = `late@${slug}.test`;
  const people = [await createUser(late), await createUser(alice)];
  await newGroup(
    'Postil Auditors',
    people.map((person) => ({ value: person.id })),
  );
  await server.platform({ organizations: [{ ...own, members: [member('4', { email: late })] }] });
  assert.equal(await roleOf({ orgId }, '4'), 'Auditors');
  assert.equal(await roleOf({ orgId }, '2'), 'cr_admin');
});

test('whoever is made Admin in Postil stays so', async () => {
  const { id, newGroup, patch, role, key } = await startWithRoles();
  const group = await newGroup('Postil Auditors', [{ value: id }]);
  const made = await server.call('POST', '/v1/users/roles', {
    key,
    body: { role: 'cr_admin', user_ids: ['3'] },
  });
  assert.equal(made.status, 200, made.text);
  await patch(group, { op: 'remove', path: 'members' });
  assert.equal(await role(), 'cr_admin');
});
