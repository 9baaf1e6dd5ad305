import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { samplePlatform } from '../../../test/sample-platform.ts';
import { signInAs } from '../../../test/session.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const session = await signInAs(server, 'user-9001@acme.test');
const scopeOf = async (orgId: string) => {
  const [row] = await server.database
    .sql`SELECT id FROM organizations WHERE provider_organization_id = ${orgId}`;
  return `scope=organization:${row!.id}`;
};
const path = `/dashboard/v1/settings?${await scopeOf('1001')}`;
const change = (body: unknown) => session.call('PATCH', path, { body });

test('settings of the organization and of a repository change alone and together; null removes the override of the repository', async () => {
  const one = await change({ approval_delay_days: 7 });
  assert.deepEqual([one.status, one.json.approval_delay_days, one.json.metrics_isolated], [200, 7, false]);
  const both = await change({
    metrics_isolated: true,
    repositories: [{ repository_id: '502', approval_delay_days: 0 }],
  });
  assert.equal(both.json.metrics_isolated, true);
  assert.deepEqual(
    both.json.repositories.map((row: { name: string; approval_delay_days: number | null }) => [
      row.name,
      row.approval_delay_days,
    ]),
    [
      ['api', null],
      ['web', 0],
    ],
  );
  const back = await change({ repositories: [{ repository_id: '502', approval_delay_days: null }] });
  assert.equal(back.json.repositories[1].approval_delay_days, null);
  assert.deepEqual((await session.call('GET', path)).json, back.json);
});

test('repositories are paged by name, and one beyond the first page can be changed', async () => {
  const repositories = Array.from({ length: 250 }, (_, index) => ({
    provider_repository_id: `many-${index}`,
    name: `many-${String(index).padStart(3, '0')}`,
  }));
  await server.platform({
    organizations: [{ provider: 'github', provider_organization_id: '1002', repositories }],
  });
  const paged = `/dashboard/v1/settings?${await scopeOf('1002')}`;
  const names: string[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, json } = await session.call('GET', `${paged}${cursor && `&cursor=${cursor}`}`);
    assert.equal(status, 200);
    sizes.push(json.repositories.length);
    names.push(...json.repositories.map(({ name }: { name: string }) => name));
    cursor = json.next_cursor;
  }
  assert.deepEqual(names, ['api', ...repositories.map(({ name }) => name), 'web']);
  assert.deepEqual(sizes, [100, 100, 52]);
  const changed = await session.call('PATCH', paged, {
    body: { repositories: [{ repository_id: 'many-249', approval_delay_days: 4 }] },
  });
  assert.equal(changed.json.repositories.length, 100);
  const [row] = await server.database.sql`
    SELECT approval_delay_days AS days FROM repositories WHERE provider_repository_id = 'many-249'`;
  assert.equal(row!.days, 4);
  assert.equal((await session.call('GET', `${paged}&cursor=nonsense`)).status, 400);
  const named = await session.call('GET', `${paged}&repository_ids=many-249,many-7,unknown`);
  assert.deepEqual(
    named.json.repositories.map(({ name }: { name: string }) => name),
    ['many-007', 'many-249'],
  );
});

test('an unknown repository, a delay out of range and unknown fields are rejected, and nothing is created', async () => {
  const unknown = await change({ repositories: [{ repository_id: '999', approval_delay_days: 1 }] });
  assert.deepEqual([unknown.status, unknown.json.error.code], [404, 'NOT_FOUND']);
  for (const body of [
    { approval_delay_days: 31 },
    { plan: 'free' },
    { repositories: [{ repository_id: '501' }] },
  ])
    assert.equal((await change(body)).status, 400, JSON.stringify(body));
  const [row] = await server.database.sql`SELECT count(*)::int AS count FROM repositories WHERE name = '999'`;
  assert.equal(row!.count, 0);
});

test('a self-hosted organization with the same id on another instance is not changed', async () => {
  await server.platform({
    organizations: [
      {
        provider: 'github',
        provider_organization_id: '1001',
        instance: 'ghe',
        name: 'twin',
        plan: 'enterprise',
      },
    ],
  });
  const [twin] = await server.database.sql`SELECT id FROM organizations WHERE name = 'twin'`;
  await change({ approval_delay_days: 12 });
  const [row] = await server.database
    .sql`SELECT approval_delay_days FROM organizations WHERE id = ${twin!.id}`;
  assert.equal(row!.approval_delay_days, 0);
});

test('the audit entry of a change names the person', async () => {
  const [entry] = await server.database.sql`
    SELECT actor_name, actor_subtitle FROM audit_entries
    WHERE actor_subtitle = 'Dashboard' AND action LIKE 'organization.%' LIMIT 1`;
  assert.equal(entry!.actor_name, 'user-9001');
});
