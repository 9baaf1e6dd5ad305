import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { freshId, member, organization } from '../../../test/sample-platform.ts';
import { startScimWorkspace } from '../../../test/scim-workspace.ts';

const server = await startTestApp();
beforeEach(() => server.resetLimits());

const startWorkspace = () => startScimWorkspace(server);

test('a deactivated person loses accounts, seat, keys, admin role and sessions at once, and no sync or document brings them back', async () => {
  const { alice, createUser, patch, accounts, document, isAdmin, aliceKey, slug, newToken, call } =
    await startWorkspace();
  document.workspaces[0]!.admins.push(alice);
  await server.platform(document);
  const key = await aliceKey();
  const token = await newToken(alice);
  const [person] = await server.database.sql`SELECT id FROM people WHERE email = ${alice}`;
  await server.database.sql`
    INSERT INTO dashboard_accounts (person_id, installation_admin, created_at) VALUES (${person!.id}, false, now())`;
  await server.database.sql`
    INSERT INTO dashboard_sessions (id_hash, person_id, created_at, last_seen_at, expires_at)
    VALUES (${Buffer.from(slug)}, ${person!.id}, ${server.now}, ${server.now}, ${new Date(server.now.getTime() + 3_600_000)})`;
  const sessions = () =>
    server.database.sql`SELECT 1 FROM dashboard_sessions WHERE person_id = ${person!.id}`;
  assert.equal((await server.get('/v1/me', key)).status, 200);
  assert.equal((await sessions()).length, 1);

  const { id } = await createUser(alice);
  assert.deepEqual((await accounts())[1], {
    provider_user_id: '2',
    active: true,
    seat: true,
    suspended: false,
  });
  const answer = await patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
  assert.deepEqual([answer.status, answer.json.active], [200, false]);

  const gone = { provider_user_id: '2', active: false, seat: false, suspended: true };
  assert.deepEqual((await accounts())[1], gone);
  assert.equal((await server.get('/v1/me', key)).status, 401);
  assert.equal((await call('GET', '/Users', undefined, token)).status, 401);
  assert.equal(await isAdmin(alice), false);
  assert.equal((await sessions()).length, 0);

  await server.platform(document);
  assert.deepEqual(
    (await accounts())[1],
    gone,
    'a document, or a sync of the host, does not bring them back',
  );
  assert.equal(await isAdmin(alice), false);

  await patch(`/Users/${id}`, { op: 'replace', value: { active: true } });
  assert.deepEqual((await accounts())[1], { ...gone, active: true, suspended: false });
  assert.equal((await server.get('/v1/me', key)).status, 401, 'a revoked key stays revoked');
  const chains = await server.operator('GET', '/operator/v1/audit/verification');
  assert.equal(chains.json.verified, true);
});

test('an account that appears after a deactivation is kept out too, and so is one of somebody who was deleted', async () => {
  const { slug, orgId, createUser, call, patch, accounts } = await startWorkspace();
  const late = `late@${slug}.test`;
  const { id } = await createUser(late, { active: false });
  const arrives = () =>
    server.platform({
      organizations: [
        {
          provider: 'github',
          provider_organization_id: orgId,
          members: [member('3', { email: late, seat: true })],
        },
      ],
    });
  await arrives();
  const keptOut = { provider_user_id: '3', active: false, seat: false, suspended: true };
  assert.deepEqual((await accounts())[2], keptOut);
  assert.deepEqual((await arrives()).json.members, { created: 0, updated: 0, unchanged: 1 });
  await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' });
  assert.equal((await accounts())[2]!.active, true);

  assert.equal((await call('DELETE', `/Users/${id}`)).status, 204);
  assert.equal((await call('GET', `/Users/${id}`)).status, 404);
  await arrives();
  assert.deepEqual((await accounts())[2], keptOut);
  const again = await createUser(late);
  assert.equal(again.active, true);
  assert.equal((await accounts())[2]!.active, true);
});

test('an organization that joins the workspace follows its identity provider', async () => {
  const { slug, createUser } = await startWorkspace();
  const orgId = freshId();
  const email = `roamer@${slug}.test`;
  await createUser(email, { active: false });
  const alone = organization({ provider_organization_id: orgId, members: [member('7', { email })] });
  await server.platform({ organizations: [alone] });
  await server.platform({
    organizations: [{ provider: 'github', provider_organization_id: orgId, workspace: slug }],
  });
  const [row] = await server.database.sql`
    SELECT m.active FROM members m JOIN organizations o ON o.id = m.organization_id WHERE o.provider_organization_id = ${orgId}`;
  assert.equal(row!.active, false);
});

test('a deactivation revokes a key of an instance, unless it also reaches organizations elsewhere', async () => {
  const { slug, createUser, patch } = await startWorkspace();
  const email = `ops@${slug}.test`;
  const instance = `git-${slug}`;
  const [inside, elsewhere] = [freshId(), freshId()];
  const owner = member('5', { email, role: 'cr_admin' });
  await server.platform({
    instances: [{ slug: instance, provider: 'github', url: `https://${instance}.test` }],
    organizations: [
      organization({ provider_organization_id: inside, instance, workspace: slug, members: [owner] }),
      organization({ provider_organization_id: elsewhere, instance, members: [owner] }),
    ],
  });
  const createKey = (...orgIds: string[]) =>
    server.createKey({ kind: 'instance', instance, owner: '5', org_ids: orgIds, home_org_id: orgIds[0] });
  const ownKey = await createKey(inside);
  const wideKey = await createKey(inside, elsewhere);
  /** The organizations in which the key has the rights of its owner, or the status of its refusal. */
  const reached = async (key: string) => {
    const { status, json } = await server.get('/v1/me', key);
    if (status !== 200) return status;
    const all = json.organizations as { org_id: string; is_admin: boolean }[];
    return all.filter(({ is_admin }) => is_admin).map(({ org_id }) => org_id);
  };
  assert.deepEqual([await reached(ownKey), await reached(wideKey)], [[inside], [inside, elsewhere]]);
  const { id } = await createUser(email);
  await patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
  assert.deepEqual([await reached(ownKey), await reached(wideKey)], [401, [elsewhere]]);
  await patch(`/Users/${id}`, { op: 'replace', value: { active: true } });
  assert.deepEqual([await reached(ownKey), await reached(wideKey)], [401, [inside, elsewhere]]);
});
