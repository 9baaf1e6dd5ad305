import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { member, organization, sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';
import { keyKinds } from '../../access/api-key-value.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const create = (request: unknown) => server.operator('POST', '/operator/v1/keys', request);
const day = 86_400_000;
const inDays = (days: number) => new Date(server.now.getTime() + days * day).toISOString();

describe('creating a key', () => {
  for (const kind of keyKinds) {
    test(`${kind}: returns the value once; only its hash is stored`, async () => {
      const answer = await create({ name: 'ci', ...sampleKeys[kind] });
      assert.equal(answer.status, 201);
      assert.deepEqual(Object.keys(answer.json), ['id', 'kind', 'name', 'value', 'expires_at', 'created_at']);
      assert.match(answer.json.value, /^pst_[a-z]+_[0-9A-Za-z]{49}$/);
      const [row] = await server.database
        .sql`SELECT to_jsonb(k)::text AS text FROM api_keys k WHERE id = ${answer.json.id}`;
      assert.ok(!row!.text.includes(answer.json.value));
      const [audit] = await server.database
        .sql`SELECT a.*, to_jsonb(a)::text AS text FROM audit_entries a WHERE resource_id = ${answer.json.id}`;
      assert.equal(audit!.action, 'api_key.created');
      assert.ok(!audit!.text.includes(answer.json.value));
      const me = await server.get('/v1/me', answer.json.value);
      assert.deepEqual([me.status, me.json.kind], [200, kind]);
    });
  }

  test('an expiry must be 1 to 366 days from now, and a workspace token must have one', async () => {
    for (const [expires_at, status] of [
      [inDays(0.99), 400],
      [inDays(1), 201],
      [inDays(366), 201],
      [inDays(366.01), 400],
      ['2026-02-30T00:00:00Z', 400],
      ['soon', 400],
      ['2027-01-01', 400],
      [null, 201],
    ] as const) {
      assert.equal(
        (await create({ name: 'x', ...sampleKeys.organization, expires_at })).status,
        status,
        String(expires_at),
      );
    }
    const { expires_at: _, ...withoutExpiry } = sampleKeys.workspace;
    assert.equal((await create({ name: 'x', ...withoutExpiry })).status, 400);
    assert.equal((await create({ name: 'x', ...withoutExpiry, expires_at: null })).status, 400);
  });

  test('an expiry of exactly 1 or 366 days is accepted although requests take time and clocks differ', async () => {
    const second = 1 / 86_400;
    for (const [days, status] of [
      [1 - 59 * second, 201],
      [1 - 61 * second, 400],
      [23 / 24, 400],
      [366 + 59 * second, 201],
      [366 + 61 * second, 400],
      [367, 400],
    ] as const) {
      const request = { name: 'x', ...sampleKeys.organization, expires_at: inDays(days) };
      assert.equal((await create(request)).status, status, `${days} days`);
    }
  });

  test('an invalid request is answered 400, a reference to something unknown 404', async () => {
    const cases: [Record<string, unknown>, number][] = [
      [{ ...sampleKeys.organization, name: '' }, 400],
      [{ ...sampleKeys.organization, name: 'x'.repeat(101) }, 400],
      [{ ...sampleKeys.organization, color: 'red' }, 400],
      [{ kind: 'magic' }, 400],
      [{}, 400],
      [{ ...sampleKeys.organization, owner: undefined }, 400],
      [{ ...sampleKeys.legacy, owner: '9001' }, 400],
      [{ ...sampleKeys.organization, org_id: 'nowhere' }, 404],
      [{ ...sampleKeys.organization, org_id: '2001' }, 404],
      [{ ...sampleKeys.organization, org_id: '2001', instance: 'ghe' }, 201],
      [{ ...sampleKeys.organization, owner: 'nobody' }, 404],
      [{ ...sampleKeys.workspace, workspace: 'nowhere' }, 404],
      [{ ...sampleKeys.workspace, owner: 'user-9002@acme.test' }, 400],
      [{ ...sampleKeys.instance, instance: 'nowhere' }, 404],
      [{ ...sampleKeys.instance, org_ids: ['1001'] }, 404],
      [{ ...sampleKeys.instance, org_ids: [] }, 400],
      [{ ...sampleKeys.instance, home_org_id: '2003' }, 404],
      [{ ...sampleKeys.instance, owner: 'nobody' }, 404],
    ];
    for (const [request, status] of cases) {
      const answer = await create({ name: 'x', ...request });
      assert.equal(answer.status, status, `${JSON.stringify(request)} ${answer.text}`);
    }
  });
});

describe('an organization and an owner can be given by name', () => {
  const bound = async (request: Record<string, unknown>) => {
    const answer = await create({ kind: 'organization', name: 'named', ...request });
    assert.equal(answer.status, 201, answer.text);
    const { keys } = (await server.operator('GET', '/operator/v1/keys')).json;
    const { provider, instance, org_id, owner } = keys.find(
      ({ id }: { id: string }) => id === answer.json.id,
    );
    return [provider, instance, org_id, owner];
  };
  const refusal = async (request: Record<string, unknown>) => {
    const answer = await create({ kind: 'organization', name: 'named', ...request });
    return [answer.status, answer.json.error.message];
  };

  test('the only organization and member of that name are meant, in any case of letters, wherever they are', async () => {
    assert.deepEqual(await bound({ org_id: 'org-1001', owner: 'user-9001' }), [
      'github',
      null,
      '1001',
      '9001',
    ]);
    assert.deepEqual(await bound({ org_id: 'ORG-2001', owner: 'User-9002' }), [
      'github',
      'ghe',
      '2001',
      '9002',
    ]);
    assert.deepEqual(await bound({ org_id: '2002', owner: '9001' }), ['github', 'ghe', '2002', '9001']);
  });

  test('a name that several have is refused with their ids, and an id is taken before a name', async () => {
    const members = [
      member('9101', { username: 'same' }),
      member('9102', { username: 'Same' }),
      member('9103', { username: '9101' }),
    ];
    await server.platform({
      instances: [{ slug: 'forge', provider: 'gitea', url: 'https://forge.acme.test' }],
      organizations: [
        organization({ provider_organization_id: '4001', name: 'twice', members }),
        organization({
          provider_organization_id: '7',
          provider: 'gitea',
          instance: 'forge',
          name: 'twice',
          members,
        }),
        organization({ provider_organization_id: '4002', name: '4001', members }),
      ],
    });
    assert.deepEqual(await refusal({ org_id: 'twice', owner: '9101' }), [
      400,
      'org_id: twice is ambiguous; use one of these: 7 (provider: gitea, instance: forge), 4001 (provider: github)',
    ]);
    assert.deepEqual(await refusal({ provider: 'github', org_id: 'twice', owner: 'same' }), [
      400,
      'owner: same is ambiguous; use one of these: 9101, 9102',
    ]);
    assert.deepEqual(await bound({ provider: 'gitea', org_id: 'twice', owner: '9102' }), [
      'gitea',
      'forge',
      '7',
      '9102',
    ]);
    assert.deepEqual(await bound({ instance: 'forge', org_id: 'twice', owner: '9101' }), [
      'gitea',
      'forge',
      '7',
      '9101',
    ]);
    assert.deepEqual(await bound({ provider: 'github', org_id: '4001', owner: '9101' }), [
      'github',
      null,
      '4001',
      '9101',
    ]);
    assert.equal(
      (await refusal({ org_id: '4001', owner: '9101' }))[0],
      400,
      'the id of one, the name of another',
    );
  });

  test('who has left is not found by name', async () => {
    await server.platform({
      organizations: [
        organization({
          provider_organization_id: '4003',
          members: [member('9201', { username: 'gone', active: false })],
        }),
      ],
    });
    assert.deepEqual(await refusal({ org_id: 'org-4003', owner: 'gone' }), [
      404,
      'owner: gone is not an active member of the organization',
    ]);
    assert.deepEqual(await refusal({ org_id: 'org-of-nobody', owner: '9001' }), [
      404,
      'org_id: there is no such organization',
    ]);
  });

  test('an instance key takes names of its owner and organizations, too', async () => {
    const request = { kind: 'instance', name: 'named', instance: 'ghe', owner: 'user-9001' };
    const answer = await create({
      ...request,
      org_ids: ['org-2001', '2002', '2001'],
      home_org_id: 'org-2002',
    });
    assert.equal(answer.status, 201, answer.text);
    const { keys } = (await server.operator('GET', '/operator/v1/keys')).json;
    const { owner, org_ids, home_org_id } = keys.find(({ id }: { id: string }) => id === answer.json.id);
    assert.deepEqual([owner, org_ids, home_org_id], ['9001', ['2001', '2002'], '2002']);
  });
});

test('the list contains every key without its value, in pages', async () => {
  const all = (await server.operator('GET', '/operator/v1/keys')).json.keys;
  assert.ok(all.length > 6);
  const paged = [];
  let cursor: string | null = null;
  do {
    const page: { keys: unknown[]; next_cursor: string | null } = (
      await server.operator(
        'GET',
        `/operator/v1/keys?limit=3${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      )
    ).json;
    paged.push(...page.keys);
    cursor = page.next_cursor;
  } while (cursor !== null);
  assert.deepEqual(paged, all);
  assert.ok(!JSON.stringify(all).includes('pst_'));
  const instance = all.find((key: { kind: string }) => key.kind === 'instance');
  assert.deepEqual(
    [instance.instance, instance.org_ids, instance.home_org_id],
    ['ghe', ['2001', '2002'], '2001'],
  );
});

test('revoking takes effect immediately on every node and is idempotent; an unknown id is 404', async () => {
  const other = await server.secondNode();
  const { id, value } = (await create({ name: 'short-lived', ...sampleKeys.user })).json;
  assert.equal((await other.get('/v1/me', value)).status, 200);
  const path = `/operator/v1/keys/${id}`;
  assert.equal((await server.operator('DELETE', path)).status, 204);
  assert.equal((await other.get('/v1/me', value)).status, 401);
  assert.equal((await server.operator('DELETE', path)).status, 204);
  assert.equal(
    (await server.operator('DELETE', '/operator/v1/keys/00000000-0000-4000-8000-000000000000')).status,
    404,
  );
  assert.equal((await server.operator('DELETE', '/operator/v1/keys/nonsense')).status, 400);
});

test('a key for an organization that is on another instance is refused with the name of that instance', async () => {
  const refusal = async (more: object) => {
    const request = { name: 'test', ...sampleKeys.organization, ...more };
    const answer = await server.operator('POST', '/operator/v1/keys', request);
    assert.equal(answer.status, 404);
    return answer.json.error.message;
  };
  assert.equal(
    await refusal({ org_id: '2001' }),
    'org_id: there is no such organization on the public cloud; instance: must be ghe',
  );
  assert.equal(
    await refusal({ instance: 'ghe' }),
    'org_id: there is no such organization on ghe; instance: must be null, for the public cloud',
  );
  assert.equal(await refusal({ org_id: 'nowhere' }), 'org_id: there is no such organization');
});

test('an instance key without org_ids covers organizations added later', async () => {
  const value = await server.createKey({ kind: 'instance', instance: 'ghe', owner: '9001' });
  const orgIds = async () =>
    (await server.get('/v1/me', value)).json.organizations.map((row: { org_id: string }) => row.org_id);
  assert.deepEqual(await orgIds(), ['2001', '2002', '2003']);
  await server.platform({
    organizations: [
      { provider: 'github', provider_organization_id: '2004', instance: 'ghe', name: 'org-2004' },
    ],
  });
  assert.deepEqual(await orgIds(), ['2001', '2002', '2003', '2004']);
});

test('an instance key cannot access an organization whose workspace is inactive', async () => {
  await server.platform({
    workspaces: [{ slug: 'paused', active: true }],
    organizations: [
      { provider: 'github', provider_organization_id: '2003', instance: 'ghe', workspace: 'paused' },
    ],
  });
  const value = await server.createKey({
    kind: 'instance',
    instance: 'ghe',
    owner: '9001',
    org_ids: ['2003'],
  });
  assert.equal((await server.get('/v1/me', value)).status, 200);
  await server.platform({ workspaces: [{ slug: 'paused', active: false }] });
  assert.equal((await server.get('/v1/me', value)).status, 401);
});

test('a key stops working while its organization or workspace is inactive, and works again afterwards', async () => {
  const value = await server.createKey(sampleKeys.organization);
  const token = await server.createKey(sampleKeys.workspace);
  const set = (fields: object) =>
    server.platform({ organizations: [{ provider: 'github', provider_organization_id: '1001', ...fields }] });
  await set({ active: false });
  assert.equal((await server.get('/v1/me', value)).status, 401);
  assert.equal((await server.get('/v1/me', token)).status, 200);
  await set({ active: true });
  assert.equal((await server.get('/v1/me', value)).status, 200);
  await server.platform({ workspaces: [{ slug: 'acme', active: false }] });
  assert.deepEqual(
    [(await server.get('/v1/me', value)).status, (await server.get('/v1/me', token)).status],
    [401, 401],
  );
  await server.platform({ workspaces: [{ slug: 'acme', active: true }] });
  assert.equal((await server.get('/v1/me', token)).status, 200);
});
