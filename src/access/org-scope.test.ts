import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { startTestApp } from '../../test/harness.ts';
import { freshId, member, organization } from '../../test/sample-platform.ts';
import { event, finding } from '../../test/scanned-organization.ts';
import type { KeyEndpoint } from '../http/endpoint.ts';

const server = await startTestApp();
beforeEach(() => server.resetLimits());

const owner = '9003';
const securityPath = '/v1/security/scans/code';
const auditPath = '/v1/audit-logs';

/** The key owner's fields as a member of one organization of an instance; undefined if the owner is not a member. */
type Membership = Record<string, unknown> | undefined;

interface Place {
  readonly orgId: string;
  /** Occurs in all data of this organization, and nowhere else. */
  readonly mark: string;
}

/**
 * An instance with one organization for each membership of the key's owner, each with an audit log and a security finding
 * that carry its mark, and a key of the instance that covers all of them, with the first as home.
 */
async function newInstance(memberships: readonly Membership[], isLimited = false) {
  const instance = `i${freshId()}`;
  const places: Place[] = memberships.map(() => {
    const id = freshId();
    return { orgId: id, mark: `mark-${id}` };
  });
  await server.platform({
    instances: [{ slug: instance, provider: 'github', url: `https://${instance}.acme.test` }],
    organizations: places.map(({ orgId, mark }, position) => {
      const fields = memberships[position];
      return organization({
        provider_organization_id: orgId,
        instance,
        name: mark,
        repositories: [{ provider_repository_id: '501', name: mark }],
        members: [
          member('9001', { role: 'cr_admin' }),
          ...(fields === undefined ? [] : [member(owner, { seat: false, ...fields })]),
        ],
      });
    }),
  });
  const scans = places.map(({ orgId, mark }) =>
    event('postil.security_scan', 1, {
      ...{ provider: 'github', org_id: orgId, instance, repository_id: '501', scan_id: mark, revision: 'r' },
      ...{ coverage_scope: 'repository', findings: [finding({ title: mark })] },
    }),
  );
  assert.equal((await server.events(scans)).json.accepted, scans.length);
  const key = await server.createKey({
    ...{ kind: 'instance', instance, owner, home_org_id: places[0]!.orgId },
    ...(isLimited && { org_ids: places.map(({ orgId }) => orgId) }),
  });
  return { instance, places, key };
}

const marksIn = (text: string) => [...new Set(text.match(/mark-\d+/g))].sort();

/** Every endpoint that silently leaves out organizations, with all its variants. */
const implicit: Readonly<Record<string, readonly string[]>> = {
  'GET /v1/audit-logs': [
    `${auditPath}?page_size=100`,
    `${auditPath}?page_size=100&date_from=2026-01-01T00:00:00Z`,
  ],
  'GET /v1/security/scans/code': [securityPath, `${securityPath}?format=csv`, `${securityPath}?format=sarif`],
};

test('every endpoint with an implicit scope and a required right is tested here', () => {
  const declared = server.app.endpoints.filter(
    (endpoint): endpoint is KeyEndpoint =>
      endpoint.audience === 'key' &&
      ['all', 'all_or_selected'].includes(endpoint.access.instance) &&
      endpoint.requires.right !== 'none',
  );
  assert.deepEqual(
    declared.map(({ method, path }) => `${method} ${path}`).sort(),
    Object.keys(implicit).sort(),
  );
});

describe('an instance key shows those of its organizations where its owner has the right', () => {
  const withoutRight: [string, Membership][] = [
    ['has a role without it', { role: 'cr_billing_admin' }],
    ['is no member', undefined],
    ['was Admin and left', { role: 'cr_admin', active: false }],
  ];
  for (const [name, paths] of Object.entries(implicit))
    for (const [what, membership] of withoutRight)
      for (const isLimited of [false, true])
        test(`${name}: nothing of one where the owner ${what}${isLimited ? ', though the key names it' : ''}`, async () => {
          const { places, key } = await newInstance([{ role: 'cr_admin' }, membership], isLimited);
          for (const path of paths) {
            const answer = await server.get(path, key);
            assert.equal(answer.status, 200, answer.text);
            assert.deepEqual(marksIn(answer.text), [places[0]!.mark], path);
            assert.ok(!answer.text.includes(places[1]!.orgId), path);
          }
        });

  test('the audit log counts only what it shows', async () => {
    const { key } = await newInstance([{ role: 'cr_admin' }, { role: 'cr_member' }]);
    const { json } = await server.get(`${auditPath}?page_size=100`, key);
    assert.equal(json.pagination.total_count, json.data.length);
    for (const options of [json.filter_options.actions, json.filter_options.resource_types])
      assert.equal(
        options.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
        json.data.length,
      );
  });

  test('the right is checked in each organization separately', async () => {
    const { places, key } = await newInstance([{ role: 'cr_admin' }, { role: 'cr_member' }]);
    const [home, other] = places as [Place, Place];
    assert.deepEqual(marksIn((await server.get(securityPath, key)).text), [home.mark, other.mark].sort());
    assert.deepEqual(marksIn((await server.get(`${auditPath}?page_size=100`, key)).text), [home.mark]);
  });

  test('without the right in any of them the request is rejected', async () => {
    const { key } = await newInstance([{ role: 'cr_billing_admin' }, { role: 'cr_billing_admin' }]);
    const refusals = [
      [auditPath, 'NOT_ADMIN'],
      [securityPath, 'PERMISSION_DENIED'],
    ] as const;
    for (const [path, code] of refusals) {
      const answer = await server.get(path, key);
      assert.deepEqual([answer.status, answer.json.error.code], [403, code]);
    }
  });
});

test('an instance key covers no organization whose workspace is inactive, and covers it again later', async () => {
  const { instance, places, key } = await newInstance([{ role: 'cr_admin' }, { role: 'cr_admin' }]);
  const [home, other] = places as [Place, Place];
  const slug = `w${other.orgId}`;
  const setActive = (active: boolean) =>
    server.platform({
      workspaces: [{ slug, name: slug, admins: ['user-9001@acme.test'], active }],
      organizations: [
        { provider: 'github', provider_organization_id: other.orgId, instance, workspace: slug },
      ],
    });
  await setActive(true);
  const shown = async (path: string) => marksIn((await server.get(path, key)).text);
  const paths = [...Object.values(implicit).flat(), '/v1/me'];
  for (const path of paths) assert.deepEqual(await shown(path), [home.mark, other.mark].sort(), path);
  await server.resetLimits();
  await setActive(false);
  for (const path of paths) assert.deepEqual(await shown(path), [home.mark], path);
  const named = await server.get(`${securityPath}?organization_ids=${other.orgId}`, key);
  assert.deepEqual([named.status, named.json.error.code], [404, 'ORGANIZATION_NOT_FOUND']);
  await server.resetLimits();
  await setActive(true);
  for (const path of paths) assert.deepEqual(await shown(path), [home.mark, other.mark].sort(), path);
});

test('a cursor of an instance key works for another key with the same coverage, but not for one with another', async () => {
  const roles = [{ role: 'cr_admin' }, { role: 'cr_admin' }, { role: 'cr_admin' }];
  const { instance, places, key } = await newInstance(roles, true);
  const ids = places.map(({ orgId }) => orgId);
  const keyOver = (orgIds?: string[]) =>
    server.createKey({ kind: 'instance', instance, owner, ...(orgIds && { org_ids: orgIds }) });
  const first = await server.get(`${securityPath}?limit=1`, key);
  const rest = `${securityPath}?limit=1&cursor=${encodeURIComponent(first.json.next_cursor)}`;
  assert.equal((await server.get(rest, await keyOver(ids.toReversed()))).status, 200);
  for (const other of [await keyOver(ids.slice(0, 2)), await keyOver(ids.slice(0, 1)), await keyOver()]) {
    const answer = await server.get(rest, other);
    assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_REQUEST']);
  }
  const selected = await server.get(`${rest}&organization_ids=${ids.slice(0, 2)}`, key);
  assert.deepEqual([selected.status, selected.json.error.code], [400, 'INVALID_REQUEST']);
});

test('a key that is authorized for one of the named organizations reaches none of them', async () => {
  const { instance, places } = await newInstance([{ role: 'cr_admin' }, { role: 'cr_admin' }]);
  const [own, other] = places as [Place, Place];
  const key = await server.createKey({ kind: 'instance', instance, owner, org_ids: [own.orgId] });
  const named = (...ids: string[]) => server.get(`${securityPath}?organization_ids=${ids}`, key);
  assert.deepEqual(marksIn((await named(own.orgId)).text), [own.mark]);
  const answer = await named(own.orgId, other.orgId);
  assert.deepEqual([answer.status, answer.json.error.code], [403, 'ORGANIZATION_FORBIDDEN']);
  assert.deepEqual(marksIn(answer.text), []);
});

test('organizations of a workspace with the same id at two providers are distinguished by the provider', async () => {
  const slug = `w${freshId()}`;
  const orgId = freshId();
  const admin = `${slug}@acme.test`;
  await server.platform({
    workspaces: [{ slug, admins: [admin] }],
    organizations: ['github', 'gitlab'].map((provider) =>
      organization({ provider, provider_organization_id: orgId, workspace: slug }),
    ),
  });
  const expires_at = '2027-01-31T00:00:00Z';
  const token = await server.createKey({ kind: 'workspace', workspace: slug, owner: admin, expires_at });
  const body = { name: 'of gitlab', org_id: `gitlab:${orgId}` };
  assert.equal((await server.call('POST', '/v1/roles', { key: token, body })).status, 201);
  const rolesIn = async (id: string) => {
    const { status, json } = await server.get(`/v1/roles?role_type=custom&org_id=${id}`, token);
    return status === 200 ? json.roles.map(({ name }: { name: string }) => name) : status;
  };
  assert.deepEqual(await rolesIn(`gitlab:${orgId}`), ['of gitlab']);
  assert.deepEqual(await rolesIn(`github:${orgId}`), []);
  assert.deepEqual([await rolesIn(orgId), await rolesIn(`gitea:${orgId}`)], [400, 404]);
});

describe('if the owner lacks the right in a named organization, the whole request is rejected', () => {
  test('organization_ids', async () => {
    const { places, key } = await newInstance([{ role: 'cr_admin' }, { role: 'cr_billing_admin' }]);
    const ids = places.map(({ orgId }) => orgId).join(',');
    const answer = await server.get(`${securityPath}?organization_ids=${ids}`, key);
    assert.deepEqual([answer.status, answer.json.error.code], [403, 'PERMISSION_DENIED']);
    assert.deepEqual(marksIn(answer.text), []);
  });

  test('ALL, before a role is changed anywhere', async () => {
    const { places, key } = await newInstance([{ role: 'cr_admin' }, { role: 'cr_member' }]);
    const rolesNow = () => server.database.sql`
      SELECT o.provider_organization_id AS org_id, m.provider_user_id AS user_id, m.role
      FROM members m JOIN organizations o ON o.id = m.organization_id
      WHERE o.provider_organization_id = ANY(${places.map(({ orgId }) => orgId)}::text[]) ORDER BY 1, 2`;
    const before = [...(await rolesNow())];
    const answer = await server.call('POST', '/v1/users/roles', {
      key,
      body: { org_id: 'ALL', role: 'cr_admin', user_ids: [owner] },
    });
    assert.deepEqual([answer.status, answer.json.error.code], [403, 'NOT_ADMIN']);
    assert.deepEqual([...(await rolesNow())], before);
  });
});
