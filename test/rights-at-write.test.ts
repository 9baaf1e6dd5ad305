import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../src/db/database.ts';
import { startTestApp } from './harness.ts';
import { callLate } from './late-caller.ts';
import { freshId, member, organization } from './sample-platform.ts';
import { fromDashboard, signInAs } from './session.ts';

const server = await startTestApp();
const { sql } = server.database;
const start = server.now;
beforeEach(() => {
  server.now = start;
});

interface Tenant {
  readonly orgId: string;
  readonly id: string;
  /** Changes the fields of the tenant's organization and workspace, and of its admin. */
  change(fields: Record<string, unknown>, admin?: Record<string, unknown>): Promise<unknown>;
}

async function newTenant(): Promise<Tenant> {
  const orgId = freshId();
  const workspace = `w${orgId}`;
  const admin = (fields = {}) =>
    member('9001', { role: 'cr_admin', email: `admin-${orgId}@acme.test`, ...fields });
  await server.platform({
    workspaces: [{ slug: workspace, name: workspace, admins: [`admin-${orgId}@acme.test`] }],
    organizations: [
      organization({ provider_organization_id: orgId, workspace, members: [admin(), member('9002')] }),
    ],
  });
  const [row] = await sql`SELECT id FROM organizations WHERE provider_organization_id = ${orgId}`;
  return {
    orgId,
    id: row!.id,
    change: (fields, adminFields) =>
      server.platform({
        organizations: [
          {
            provider: 'github',
            provider_organization_id: orgId,
            ...(adminFields !== undefined && { members: [admin(adminFields)] }),
            ...fields,
          },
        ],
      }),
  };
}

async function newKey(request: Record<string, unknown>): Promise<{ id: string; value: string }> {
  const answer = await server.operator('POST', '/operator/v1/keys', {
    name: 'late',
    expires_at: new Date(start.getTime() + 30 * 86_400_000).toISOString(),
    ...request,
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

const keyOf = ({ orgId }: Tenant) =>
  newKey({ kind: 'organization', provider: 'github', org_id: orgId, owner: '9001' });

/** Waits until the request was admitted, judging by its rate limit, and a moment longer. */
async function untilAdmitted(subject: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const rows = await sql`SELECT 1 FROM rate_limit_windows WHERE bucket LIKE ${`%${subject}`}`;
    if (rows.length > 0) break;
    await sleep(10);
  }
  await sleep(50);
}

const roleOf = async ({ id }: Tenant, userId: string) =>
  (await sql`SELECT role FROM members WHERE organization_id = ${id} AND provider_user_id = ${userId}`)[0]!
    .role;

describe('a right lost while the body is still being sent is lost', () => {
  const losses: [string, number, string, (tenant: Tenant, keyId: string) => unknown][] = [
    ['the key', 401, 'UNAUTHORIZED', (_, id) => server.operator('DELETE', `/operator/v1/keys/${id}`)],
    [
      'the time of the key',
      401,
      'UNAUTHORIZED',
      () => {
        server.now = new Date(start.getTime() + 31 * 86_400_000);
      },
    ],
    ['the Admin role', 403, 'NOT_ADMIN', ({ change }) => change({ workspace: null }, { role: 'cr_member' })],
    ['the membership', 401, 'UNAUTHORIZED', ({ change }) => change({}, { active: false })],
    ['the organization', 401, 'UNAUTHORIZED', ({ change }) => change({ active: false })],
    [
      'the plan',
      403,
      'ENTERPRISE_REQUIRED',
      ({ change }) => change({ workspace: null, plan: 'pro', subscription: 'active' }),
    ],
  ];
  for (const [what, status, code, lose] of losses) {
    test(what, async () => {
      const tenant = await newTenant();
      const key = await keyOf(tenant);
      const headers = { 'x-service-api-key': key.value };
      const call = await callLate(server, 'POST', '/v1/users/roles', headers, '{"role":"cr_admin",');
      await untilAdmitted(tenant.id);
      await lose(tenant, key.id);
      const answer = await call.finish('"user_ids":["9002"]}');
      assert.deepEqual([answer.status, answer.json.error.code], [status, code]);
      assert.equal(await roleOf(tenant, '9002'), 'cr_member');
    });
  }

  test('a workspace token whose owner is no longer admin of the workspace', async () => {
    const tenant = await newTenant();
    const workspace = `w${tenant.orgId}`;
    const owner = `admin-${tenant.orgId}@acme.test`;
    const key = await newKey({ kind: 'workspace', workspace, owner });
    const headers = { 'x-service-api-key': key.value };
    const call = await callLate(
      server,
      'POST',
      '/v1/learnings',
      headers,
      `{"org_id":"${tenant.orgId}","data":[`,
    );
    await sleep(300);
    await server.platform({ workspaces: [{ slug: workspace, admins: [] }] });
    const answer = await call.finish('{"repository_id":"501","learning":"Late"}]}');
    assert.deepEqual([answer.status, answer.json.errors[0].code], [403, 'WORKSPACE_ADMIN_REQUIRED']);
    const rows = await sql`SELECT 1 FROM learnings WHERE organization_id = ${tenant.id}`;
    assert.equal(rows.length, 0);
  });

  test('even if the request only reads', async () => {
    const tenant = await newTenant();
    const key = await keyOf(tenant);
    const headers = { 'x-service-api-key': key.value };
    const call = await callLate(server, 'POST', '/v1/learnings/search', headers, '{"repository_id":"501",');
    await untilAdmitted(tenant.id);
    await server.operator('DELETE', `/operator/v1/keys/${key.id}`);
    const answer = await call.finish('"query":"anything"}');
    assert.deepEqual([answer.status, answer.json.errors[0].code], [401, 'UNAUTHORIZED']);
  });

  test('and is reported before an error in the body, as always', async () => {
    for (const rest of ['"user_ids":[]}', 'broken']) {
      const tenant = await newTenant();
      const key = await keyOf(tenant);
      const headers = { 'x-service-api-key': key.value };
      const call = await callLate(server, 'POST', '/v1/users/roles', headers, '{"role":"nonsense",');
      await untilAdmitted(tenant.id);
      await server.operator('DELETE', `/operator/v1/keys/${key.id}`);
      assert.equal((await call.finish(rest)).status, 401);
    }
  });

  test('a session that was signed out everywhere creates no key and changes no password', async () => {
    for (const [path, first, last] of [
      ['/dashboard/v1/keys', '{"kind":"user",', '"name":"too late"}'],
      [
        '/dashboard/v1/password',
        '{"current_password":"correct horse battery staple",',
        '"new_password":"another long password"}',
      ],
      ['/dashboard/v1/sign-out', '{', '"everywhere":true}'],
    ] as const) {
      const tenant = await newTenant();
      const session = await signInAs(server, `admin-${tenant.orgId}@acme.test`);
      const [{ id: personId }] = await sql<[{ id: string }]>`
        SELECT id FROM people WHERE email = ${`admin-${tenant.orgId}@acme.test`}`;
      const scope = path === '/dashboard/v1/keys' ? `?scope=organization:${tenant.id}` : '';
      const headers = { cookie: session.cookie, ...fromDashboard };
      const call = await callLate(server, 'POST', `${path}${scope}`, headers, first);
      await untilAdmitted(`person:${personId}`);
      const out = await session.call('POST', '/dashboard/v1/sign-out', { body: { everywhere: true } });
      assert.equal(out.status, 204);
      const answer = await call.finish(last);
      assert.deepEqual([answer.status, answer.json?.error.code], [401, 'UNAUTHORIZED'], path);
    }
    assert.equal((await sql`SELECT 1 FROM api_keys WHERE name = 'too late'`).length, 0);
    assert.equal((await sql`SELECT 1 FROM audit_entries WHERE action = 'dashboard.password_set'`).length, 3);
  });

  test('the limit is charged once, and the time of the change is that of the whole request', async () => {
    const tenant = await newTenant();
    const key = await keyOf(tenant);
    const headers = { 'x-service-api-key': key.value };
    const call = await callLate(server, 'POST', '/v1/users/roles', headers, '{"role":"cr_admin",');
    await untilAdmitted(tenant.id);
    server.now = new Date(start.getTime() + 50_000);
    const answer = await call.finish('"user_ids":["9002"]}');
    assert.deepEqual([answer.status, answer.headers['x-ratelimit-remaining']], [200, '9']);
    const [entry] = await sql`
      SELECT created_at FROM audit_entries WHERE organization_id = ${tenant.id} AND action = 'member.role_changed'`;
    assert.deepEqual(entry!.created_at, server.now);
  });
});

describe('a right lost while a change waits for another one is lost', () => {
  /**
   * Locks the rows that the change needs (by default the organization), starts the change, takes away the right while the change
   * waits, and then releases the lock.
   */
  async function whileWaiting<T>(
    { id }: Tenant,
    change: () => Promise<T>,
    lose: () => Promise<unknown>,
    hold = (tx: Tx): PromiseLike<unknown> => tx`SELECT FROM organizations WHERE id = ${id} FOR NO KEY UPDATE`,
  ) {
    const { promise } = await server.database.transaction(async (tx) => {
      await hold(tx);
      const promise = change();
      for (let waiting = 0; waiting === 0; await sleep(10)) {
        const [row] = await sql<{ waiting: number }[]>`
          SELECT count(*)::int AS waiting FROM pg_locks l JOIN pg_stat_activity a USING (pid)
          WHERE NOT l.granted AND a.datname = current_database()`;
        waiting = row!.waiting;
      }
      await lose();
      return { promise };
    });
    return promise;
  }

  test('a revoked key', async () => {
    const tenant = await newTenant();
    const key = await keyOf(tenant);
    const answer = await whileWaiting(
      tenant,
      () =>
        server.call('POST', '/v1/users/roles', {
          key: key.value,
          body: { role: 'cr_admin', user_ids: ['9002'] },
        }),
      () => server.operator('DELETE', `/operator/v1/keys/${key.id}`),
    );
    assert.deepEqual([answer.status, answer.json.error.code], [401, 'UNAUTHORIZED']);
    assert.equal(await roleOf(tenant, '9002'), 'cr_member');
  });

  test('a demoted owner', async () => {
    const tenant = await newTenant();
    const { value: key } = await keyOf(tenant);
    const answer = await whileWaiting(
      tenant,
      () => server.call('POST', '/v1/roles', { key, body: { name: 'Late', permissions: [] } }),
      () => sql`
        WITH left_workspace AS (DELETE FROM workspace_admins WHERE workspace_id = (
          SELECT workspace_id FROM organizations WHERE id = ${tenant.id}))
        UPDATE members SET role = 'cr_member' WHERE organization_id = ${tenant.id} AND provider_user_id = '9001'`,
    );
    assert.deepEqual([answer.status, answer.json.error.code], [403, 'NOT_ADMIN']);
    assert.equal((await sql`SELECT 1 FROM roles WHERE organization_id = ${tenant.id}`).length, 0);
  });

  const learningRights: [string, string, string, [number, string]][] = [
    ['a right that never was the Admin role', 'cr_member', 'cr_billing_admin', [403, 'PERMISSION_DENIED']],
    ['the Admin role, where a lesser right is enough', 'cr_admin', 'cr_member', [403, 'NOT_ADMIN']],
  ];
  for (const [what, before, after, refusal] of learningRights) {
    test(what, async () => {
      const tenant = await newTenant();
      const setRole = (role: string) => sql`
        UPDATE members SET role = ${role} WHERE organization_id = ${tenant.id} AND provider_user_id = '9002'`;
      await setRole(before);
      const { value: key } = await newKey({
        ...{ kind: 'organization', provider: 'github', org_id: tenant.orgId, owner: '9002' },
      });
      const data = [{ repository_id: '501', learning: 'As it was' }];
      const created = await server.call('POST', '/v1/learnings', { key, body: { data } });
      const answer = await whileWaiting(
        tenant,
        () =>
          server.call('PATCH', `/v1/learnings/${created.json.results[0].id}`, {
            key,
            body: { learning: 'Changed late' },
          }),
        () => setRole(after),
        (tx) => tx`LOCK TABLE audit_chains IN EXCLUSIVE MODE`,
      );
      assert.deepEqual([answer.status, answer.json.errors[0].code], refusal);
      const stored = await sql`SELECT learning FROM learnings WHERE organization_id = ${tenant.id}`;
      assert.deepEqual(
        stored.map(({ learning }) => learning),
        ['As it was'],
      );
    });
  }

  test('a session that was signed out', async () => {
    const tenant = await newTenant();
    const session = await signInAs(server, `admin-${tenant.orgId}@acme.test`);
    const answer = await whileWaiting(
      tenant,
      () =>
        session.call('POST', `/dashboard/v1/roles?scope=organization:${tenant.id}`, {
          body: { name: 'Late', permissions: [] },
        }),
      () => session.call('POST', '/dashboard/v1/sign-out', { body: { everywhere: true } }),
    );
    assert.deepEqual([answer.status, answer.json.error.code], [401, 'UNAUTHORIZED']);
    assert.equal((await sql`SELECT 1 FROM roles WHERE organization_id = ${tenant.id}`).length, 0);
  });
});

test('a change that removes the right of its own caller still goes through, in one organization and in all', async () => {
  const slug = `i${freshId()}`;
  const ids = [freshId(), freshId()];
  await server.platform({
    instances: [{ slug, provider: 'github', url: `https://${slug}.acme.test` }],
    organizations: ids.map((id) =>
      organization({
        provider_organization_id: id,
        instance: slug,
        members: [member('9001', { role: 'cr_admin' }), member('9002', { role: 'cr_admin' })],
      }),
    ),
  });
  const key = await newKey({ kind: 'instance', instance: slug, owner: '9001', home_org_id: ids[0] });
  const answer = await server.call('POST', '/v1/users/roles', {
    key: key.value,
    body: { role: 'cr_member', user_ids: ['9001'], org_id: 'ALL' },
  });
  assert.deepEqual(answer.json, { status: 'success', succeeded: ['9001'], failed: [] });
});
