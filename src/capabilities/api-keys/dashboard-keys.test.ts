import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { member, samplePlatform } from '../../../test/sample-platform.ts';
import { signInAs } from '../../../test/session.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const { sql } = server.database;
const [{ id: organizationId }] = (await sql`
  SELECT id FROM organizations WHERE provider_organization_id = '1001'`) as unknown as [{ id: string }];
const [{ id: workspaceId }] = (await sql`SELECT id FROM workspaces`) as unknown as [{ id: string }];
const inOrganization = `scope=organization:${organizationId}`;
const inWorkspace = `scope=workspace:${workspaceId}`;
const admin = await signInAs(server, 'user-9001@acme.test');
const root = await signInAs(server, 'root@postil.test', { isInstallationAdmin: true });
const expires = '2026-12-31T00:00:00Z';

describe('keys of an organization', () => {
  test("are owned by their creator, act with the creator's rights, and are listed without their value", async () => {
    const body = { kind: 'user', name: 'mine' };
    const created = await admin.call('POST', `/dashboard/v1/keys?${inOrganization}`, { body });
    assert.equal(created.status, 201);
    const me = await server.get('/v1/me', created.json.value);
    assert.deepEqual([me.json.kind, me.json.owner.user_id], ['user', '9001']);
    const list = await admin.call('GET', `/dashboard/v1/keys?${inOrganization}`);
    assert.deepEqual(
      list.json.keys.map((key: Record<string, unknown>) => [key.name, key.owner, key.owner_name]),
      [['mine', '9001', 'user-9001']],
    );
    assert.ok(!list.text.includes(created.json.value));
  });

  test('an Admin can create one for another member; a person with only api_access cannot, and nobody can for a non-member', async () => {
    const [role] = await sql`
      INSERT INTO roles (organization_id, id, name, description, is_default, permissions, created_at, updated_at)
      VALUES (${organizationId}, gen_random_uuid(), 'Key manager', '', false,
        ARRAY['api_access:read', 'api_access:write', 'api_access:delete'], now(), now()) RETURNING id`;
    await server.platform({
      organizations: [
        {
          provider: 'github',
          provider_organization_id: '1001',
          members: [member('9400', { role: role!.id })],
        },
      ],
    });
    const keyManager = await signInAs(server, 'user-9400@acme.test');
    const create = (session: typeof keyManager, owner?: string) =>
      session.call('POST', `/dashboard/v1/keys?${inOrganization}`, {
        body: { kind: 'organization', name: 'created', ...(owner !== undefined && { owner }) },
      });
    assert.equal((await create(keyManager)).status, 201, 'their own');
    const escalation = await create(keyManager, '9001');
    assert.deepEqual([escalation.status, escalation.json.error.code], [403, 'NOT_ADMIN']);
    assert.equal((await create(admin, '9400')).status, 201);
    assert.equal((await create(admin, '777')).status, 404);
    const ownerless = await create(root);
    assert.deepEqual([ownerless.status, ownerless.json.error.code], [400, 'INVALID_REQUEST']);
    assert.equal((await create(root, '9002')).status, 201, 'an installation admin names the owner');
  });

  test('keys of another organization or of the workspace are not found and stay valid', async () => {
    const foreign = await server.createKey({
      kind: 'user',
      provider: 'github',
      org_id: '1002',
      owner: '9001',
    });
    const token = await server.createKey({
      kind: 'workspace',
      workspace: 'acme',
      owner: 'user-9001@acme.test',
      expires_at: expires,
    });
    for (const value of [foreign, token]) {
      const { id } = (await server.get('/v1/me', value)).json;
      const answer = await admin.call('DELETE', `/dashboard/v1/keys/${id}?${inOrganization}`);
      assert.equal(answer.status, 404);
      assert.equal((await server.get('/v1/me', value)).status, 200);
    }
  });

  test('paging covers all keys', async () => {
    const names: string[] = [];
    let cursor = '';
    do {
      const page = await admin.call('GET', `/dashboard/v1/keys?${inOrganization}&limit=2${cursor}`);
      names.push(...page.json.keys.map(({ id }: { id: string }) => id));
      cursor = page.json.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.json.next_cursor)}`;
    } while (cursor !== '');
    const [row] =
      await sql`SELECT count(*)::int AS count FROM api_keys WHERE organization_id = ${organizationId}`;
    assert.equal(new Set(names).size, row!.count);
  });
});

describe('workspace tokens', () => {
  const create = (session: typeof admin, fields: Record<string, unknown> = {}) =>
    session.call('POST', `/dashboard/v1/keys?${inWorkspace}`, {
      body: { name: 'bi', expires_at: expires, ...fields },
    });

  test('are owned by an admin of the workspace and require an expiration date', async () => {
    const own = await create(admin);
    assert.equal(own.status, 201);
    assert.equal((await server.get('/v1/me', own.json.value)).json.owner.email, 'user-9001@acme.test');
    assert.equal((await create(admin, { expires_at: undefined })).status, 400);
    assert.equal((await create(admin, { expires_at: '2036-01-01T00:00:00Z' })).status, 400);
    assert.equal((await create(root)).status, 400, 'not an admin of the workspace');
    assert.equal((await create(root, { owner: 'user-9001@acme.test' })).status, 201);
    assert.equal((await create(admin, { owner: 'user-9002@acme.test' })).status, 400);
  });

  test('creating one is audited under the name of the person', async () => {
    const [entry] = await sql`
      SELECT actor_name, actor_subtitle FROM audit_entries
      WHERE workspace_id = ${workspaceId} AND action = 'api_key.created' ORDER BY created_at, position LIMIT 1 OFFSET 1`;
    assert.deepEqual([entry!.actor_name, entry!.actor_subtitle], ['user-9001@acme.test', 'Dashboard']);
  });
});
