import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { member, organization, samplePlatform } from '../../../test/sample-platform.ts';

const server = await startTestApp();
const put = (document: unknown) => server.operator('PUT', '/operator/v1/platform', document);
const exported = async () => (await server.operator('GET', '/operator/v1/platform')).json;

async function assertRejected(document: unknown, ...patterns: RegExp[]): Promise<void> {
  const before = await exported();
  const answer = await put(document);
  assert.deepEqual([answer.status, answer.json.error?.code], [400, 'INVALID_REQUEST'], answer.text);
  for (const pattern of patterns) assert.match(answer.json.error.message, pattern);
  assert.deepEqual(await exported(), before, 'a rejected document changes nothing');
}

describe('a platform document', () => {
  test('creates its entries, and leaves everything unchanged the second time', async () => {
    const first = await put(samplePlatform());
    assert.deepEqual(first.json, {
      workspaces: { created: 1, updated: 0, unchanged: 0 },
      instances: { created: 1, updated: 0, unchanged: 0 },
      organizations: { created: 6, updated: 0, unchanged: 0 },
      repositories: { created: 12, updated: 0, unchanged: 0 },
      members: { created: 12, updated: 0, unchanged: 0 },
    });
    const second = await put(samplePlatform());
    for (const tally of Object.values<{ created: number; updated: number }>(second.json))
      assert.equal(tally.created + tally.updated, 0);
  });

  test('exported by GET and applied again changes nothing', async () => {
    await put({
      organizations: [
        organization({
          provider_organization_id: '3001',
          repositories: [
            {
              provider_repository_id: '501',
              readers: ['9002', '9001'],
              approval_delay_days: 7,
              private: false,
            },
          ],
          members: [member('9004', { email: null, bot: true, active: false })],
        }),
      ],
    });
    const document = await exported();
    const answer = await put(document);
    for (const tally of Object.values<{ created: number; updated: number }>(answer.json))
      assert.equal(tally.created + tally.updated, 0);
    const standalone = document.organizations.find(
      (row: { provider_organization_id: string }) => row.provider_organization_id === '3001',
    );
    assert.deepEqual(standalone.repositories[0].readers, ['9001', '9002']);
    assert.equal('instance' in standalone, false);
  });

  test('leaves what it does not contain unchanged', async () => {
    const answer = await put({
      organizations: [
        {
          provider: 'github',
          provider_organization_id: '1001',
          members: [{ user_id: '9002', role: 'cr_admin' }],
        },
      ],
    });
    assert.deepEqual(answer.json.organizations, { created: 0, updated: 0, unchanged: 1 });
    assert.deepEqual(answer.json.members, { created: 0, updated: 1, unchanged: 0 });
    const [row] = await server.database
      .sql`SELECT m.username, m.role FROM members m JOIN organizations o ON o.id = m.organization_id
      WHERE o.provider_organization_id = '1001' AND m.provider_user_id = '9002'`;
    assert.deepEqual({ ...row }, { username: 'user-9002', role: 'cr_admin' });
  });

  test('replaces admins and readers if it contains them', async () => {
    await put({ workspaces: [{ slug: 'acme', admins: ['B@acme.test', 'a@acme.test', 'b@acme.test'] }] });
    assert.deepEqual((await exported()).workspaces[0].admins, ['a@acme.test', 'b@acme.test']);
    await put({ workspaces: [{ slug: 'acme', name: 'Acme' }] });
    assert.deepEqual((await exported()).workspaces[0].admins, ['a@acme.test', 'b@acme.test']);
  });

  test('changes nothing the second time, whatever characters the ids of readers contain', async () => {
    const repositories = [{ provider_repository_id: '501', readers: ['\uff5e', '\u{1d4b3}', 'z'] }];
    const document = {
      organizations: [{ provider: 'github', provider_organization_id: '1002', repositories }],
    };
    assert.equal((await put(document)).json.repositories.updated, 1);
    assert.equal((await put(document)).json.repositories.updated, 0);
    assert.equal((await put(await exported())).json.repositories.updated, 0);
  });

  test('distinguishes cloud and self-hosted organizations with the same id', async () => {
    await put({
      organizations: [organization({ provider_organization_id: '2001', name: 'cloud namesake' })],
    });
    const rows = await server.database.sql`SELECT name, instance_id IS NULL AS is_cloud FROM organizations
      WHERE provider_organization_id = '2001' ORDER BY instance_id NULLS FIRST`;
    assert.deepEqual(
      rows.map(({ name, is_cloud }) => [name, is_cloud]),
      [
        ['cloud namesake', true],
        ['org-2001', false],
      ],
    );
  });
});

describe('an invalid document', () => {
  test('is rejected with every fault and its path', async () => {
    await assertRejected(
      {
        organizations: [
          { provider: 'svn', provider_organization_id: '', color: 'red', members: [{ user_id: 1 }] },
        ],
        extra: [],
      },
      /organizations\[0\]\.provider/,
      /organizations\[0\]\.provider_organization_id/,
      /organizations\[0\]\.color/,
      /organizations\[0\]\.members\[0\]\.user_id/,
      /extra/,
    );
  });

  test('is rejected if it contains duplicates or refers to something that does not exist', async () => {
    await assertRejected({ workspaces: [{ slug: 'x' }, { slug: 'x' }] }, /workspaces\[1\]/);
    await assertRejected(
      { organizations: [organization({ workspace: 'nowhere', instance: 'nothing' })] },
      /workspace/,
      /instance/,
    );
    await assertRejected(
      { organizations: [organization({ members: [member('1'), member('1')] })] },
      /members\[1\]/,
    );
    const foreignRole = '00000000-0000-4000-8000-000000000000';
    await assertRejected(
      { organizations: [organization({ members: [member('1', { role: foreignRole })] })] },
      /members\[0\]\.role/,
    );
  });

  test('is rejected if it contains a repository or workspace twice, whether new or existing', async () => {
    const twice = [
      { provider_repository_id: '5', name: 'a' },
      { provider_repository_id: '5', name: 'b' },
    ];
    await assertRejected(
      { organizations: [organization({ repositories: twice })] },
      /repositories\[1\]: is a duplicate/,
    );
    const known = [{ provider_repository_id: '501' }, { provider_repository_id: '501', name: 'b' }];
    await assertRejected(
      { organizations: [{ provider: 'github', provider_organization_id: '1001', repositories: known }] },
      /is a duplicate/,
    );
    for (const slug of ['acme', 'brand-new']) {
      await assertRejected(
        {
          workspaces: [
            { slug, admins: ['x@y.test'] },
            { slug, admins: ['x@y.test'] },
          ],
        },
        /workspaces\[1\]: is a duplicate/,
      );
    }
  });

  test('reports the faults of organizations, repositories and members together', async () => {
    const nameless = {
      provider: 'github',
      provider_organization_id: '778',
      members: [{ user_id: '1' }],
      repositories: [{ provider_repository_id: '7' }],
    };
    await assertRejected(
      { organizations: [nameless] },
      /organizations\[0\]\.name/,
      /repositories\[0\]\.name/,
      /members\[0\]\.username/,
    );
  });

  test('is rejected if unlinking an account would require a seat that was not purchased', async () => {
    const id = '779';
    const shared = { email: 'shared@q.test', seat: true };
    await put({
      organizations: [
        organization({
          provider_organization_id: id,
          seats_purchased: 1,
          members: [member('s1', shared), member('s2', shared)],
        }),
      ],
    });
    await assertRejected(
      {
        organizations: [
          {
            provider: 'github',
            provider_organization_id: id,
            members: [{ user_id: 's2', email: 'other@q.test' }],
          },
        ],
      },
      /2 seats are assigned, but only 1 purchased/,
    );
  });

  test('is rejected if a new entry lacks a required field', async () => {
    await assertRejected({ instances: [{ slug: 'new' }] }, /instances\[0\]\.provider/, /instances\[0\]\.url/);
    await assertRejected(
      { organizations: [{ provider: 'github', provider_organization_id: '777' }] },
      /organizations\[0\]\.name/,
    );
    await assertRejected(
      { organizations: [organization({ repositories: [{ provider_repository_id: '9' }] })] },
      /repositories\[0\]\.name/,
    );
    await assertRejected(
      { organizations: [organization({ members: [{ user_id: '9' }] })] },
      /members\[0\]\.username/,
    );
  });

  test('is rejected if an organization of a workspace would not be on the Enterprise plan', async () => {
    await assertRejected({ organizations: [organization({ workspace: 'acme', plan: 'pro' })] }, /plan/);
    await assertRejected(
      { organizations: [organization({ workspace: 'acme', subscription: 'none' })] },
      /subscription/,
    );
    await assertRejected(
      { organizations: [{ provider: 'github', provider_organization_id: '1001', plan: 'free' }] },
      /plan/,
    );
  });

  test('is rejected if it assigns more seats than were purchased', async () => {
    const members = [member('1', { seat: true }), member('2', { seat: true })];
    await assertRejected(
      { organizations: [organization({ seats_purchased: 1, members })] },
      /2 seats are assigned, but only 1 purchased/,
    );
    assert.equal((await put({ organizations: [organization({ seats_purchased: 2, members })] })).status, 200);
  });

  test('is rejected if a delay is out of range', async () => {
    for (const approval_delay_days of [-1, 31, 1.5, '1'])
      await assertRejected({ organizations: [organization({ approval_delay_days })] }, /approval_delay_days/);
  });
});

test('concurrent documents are all applied, one after another', async () => {
  const documents = Array.from({ length: 6 }, (_, index) => ({
    organizations: [
      { provider: 'github', provider_organization_id: '1002', members: [member(`77${index}`)] },
    ],
  }));
  const answers = await Promise.all(documents.map(put));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200],
  );
  const [row] = await server.database
    .sql`SELECT count(*)::int AS count FROM members WHERE provider_user_id LIKE '77%'`;
  assert.equal(row!.count, 6);
});

test('every change has an audit entry by System, linked to the one before', async () => {
  const rows = await server.database
    .sql`SELECT actor_name, action, chain_id, position, hash, previous_hash FROM audit_entries ORDER BY chain_id, position`;
  assert.ok(rows.every(({ actor_name }) => actor_name === 'System'));
  for (const action of [
    'workspace.created',
    'organization.created',
    'repository.created',
    'member.created',
    'member.updated',
  ]) {
    assert.ok(
      rows.some((row) => row.action === action),
      action,
    );
  }
  rows.forEach((row, index) => {
    const before = rows[index - 1];
    const expected = before?.chain_id === row.chain_id ? before!.hash : Buffer.alloc(32);
    assert.deepEqual(row.previous_hash, expected);
  });
});
