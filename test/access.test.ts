import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keyKinds, newKeyValue, newSourceValue } from '../src/access/api-key-value.ts';
import { permissionsOfBuiltInRole } from '../src/access/permissions.ts';
import type { KeyEndpoint, SourceEndpoint } from '../src/http/endpoint.ts';
import { scimErrorExtension } from '../src/http/reply/error-reply.ts';
import {
  type AccessRow,
  accessTable,
  accessWhen,
  accountEndpoints,
  installationAdminEndpoints,
  operatorEndpoints,
  publicEndpoints,
  signedEndpoints,
  sourceTable,
} from './access-table.ts';
import { type Answer, operatorToken, startTestApp } from './harness.ts';
import { member, organization, sampleKeys, samplePlatform } from './sample-platform.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const start = server.now;

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const home = {
  organization: '1001',
  user: '1001',
  workspace: '1001',
  instance: '2001',
  legacy: '1001',
  agentic: '1001',
};
type Kind = (typeof keyKinds)[number];

const organizationUuids = new Map<string, string>(
  (await server.database.sql`SELECT provider_organization_id AS name, id FROM organizations`).map(
    ({ name, id }) => [name, id],
  ),
);

/** Sends the endpoint's sample; a workspace token that must name an organization names 1001. */
async function send(
  name: string,
  row: AccessRow,
  kind: Kind | undefined,
  key: string | undefined,
  orgId?: string,
): Promise<Answer> {
  const method = name.split(' ', 1)[0]!;
  const own = kind === undefined ? '1001' : home[kind];
  let path = row.sample.path.replaceAll('{organization}', organizationUuids.get(own)!);
  let body = (kind === 'workspace' ? row.sample.workspaceBody : undefined) ?? row.sample.body;
  const named = orgId ?? (kind === 'workspace' && row.workspace === 'one' ? '1001' : undefined);
  if (named !== undefined && (method === 'POST' || method === 'PATCH')) body = { ...body, org_id: named };
  else if (named !== undefined) path += `${path.includes('?') ? '&' : '?'}org_id=${named}`;
  await server.resetLimits();
  return server.call(method, path, { key, body });
}

const codeOf = (answer: Answer): string | undefined =>
  answer.json?.error?.code ?? answer.json?.errors?.[0]?.code ?? answer.json?.[scimErrorExtension]?.code;

function refusalOfKind(row: AccessRow, kind: Kind): [number, string] | undefined {
  const rule = row[kind];
  if (rule === 'forbidden') return [403, 'KEY_TYPE_FORBIDDEN'];
  return rule === 'gone' || rule === 'gone_unless_every' ? [410, 'LEGACY_API_KEY'] : undefined;
}

function roleGrants(role: 'cr_member' | 'cr_billing_admin', right: string): boolean {
  if (right === 'none') return true;
  return right !== 'admin' && permissionsOfBuiltInRole(role).has(right as never);
}

// Asserts that no check before the verb rejected the request. The verb may reject the sample, which may name objects that do not
// exist.
function assertAllowed(answer: Answer, where: string): void {
  const refusals = [
    'UNAUTHORIZED',
    'KEY_TYPE_FORBIDDEN',
    'LEGACY_API_KEY',
    'PERMISSION_DENIED',
    'NOT_ADMIN',
    'WORKSPACE_ADMIN_REQUIRED',
  ];
  assert.ok(!refusals.includes(codeOf(answer) ?? ''), `${where}: ${answer.status} ${answer.text}`);
  assert.ok(answer.status < 500, `${where}: ${answer.status} ${answer.text}`);
}

function assertRejected(answer: Answer, [status, code]: [number, string], where: string): void {
  assert.deepEqual([answer.status, codeOf(answer)], [status, code], `${where}: ${answer.text}`);
}

test('every endpoint is in the access table, with the access, plan, right and limit it declares', () => {
  const declared = server.app.endpoints.filter(
    (endpoint): endpoint is KeyEndpoint => endpoint.audience === 'key',
  );
  assert.deepEqual(declared.map(nameOf).sort(), Object.keys(accessTable).sort());
  for (const endpoint of declared) {
    const { limit, plan, right, sources, sample: _, ...kinds } = accessTable[nameOf(endpoint)]!;
    assert.equal(endpoint.sources?.type, sources, nameOf(endpoint));
    assert.deepEqual({ ...endpoint.access }, kinds, nameOf(endpoint));
    assert.deepEqual({ ...endpoint.requires }, { plan, right }, nameOf(endpoint));
    assert.deepEqual(
      [endpoint.limit.bucket, endpoint.limit.perMinute, endpoint.limit.per],
      limit,
      nameOf(endpoint),
    );
  }
  const conditional = declared.filter((endpoint) => endpoint.accessWhen !== undefined);
  assert.deepEqual(
    Object.fromEntries(conditional.map((endpoint) => [nameOf(endpoint), endpoint.accessWhen])),
    accessWhen,
  );
  const others = (audience: string) =>
    server.app.endpoints
      .filter((endpoint) => endpoint.audience === audience)
      .map(nameOf)
      .sort();
  assert.deepEqual(others('operator'), [...operatorEndpoints].sort());
  assert.deepEqual(others('public'), [...publicEndpoints].sort());
  assert.deepEqual(others('signed'), [...signedEndpoints].sort());
  assert.deepEqual(others('account'), [...accountEndpoints, ...installationAdminEndpoints].sort());
  const forSources = server.app.endpoints.filter(
    (endpoint): endpoint is SourceEndpoint => endpoint.audience === 'source',
  );
  assert.deepEqual(
    Object.fromEntries(
      forSources.map((endpoint) => [
        nameOf(endpoint),
        [endpoint.limit.bucket, endpoint.limit.perMinute, endpoint.limit.per],
      ]),
    ),
    sourceTable,
  );
});

test('every operator endpoint rejects a request without the operator token, or with another one', async () => {
  for (const name of operatorEndpoints) {
    const [method, path] = name.split(' ') as [string, string];
    const url = path.replaceAll(/\{\w+\}/g, 'x');
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: 'Basic wrong' },
      { 'x-service-api-key': newKeyValue('user') },
    ]) {
      const answer = await server.call(method, url, { headers: headers as Record<string, string> });
      assertRejected(answer, [401, 'UNAUTHORIZED'], name);
    }
  }
});

test('every endpoint for event sources refuses requests without a value, and with any other key or token', async () => {
  for (const name of Object.keys(sourceTable)) {
    const [method, path] = name.split(' ') as [string, string];
    const others = [
      {},
      { authorization: `Bearer ${operatorToken}` },
      { authorization: `Basic ${newSourceValue()}` },
      ...[newSourceValue(), await server.createKey(sampleKeys.organization)].flatMap((value) => [
        { 'x-service-api-key': value },
        { authorization: `Bearer ${value}` },
      ]),
    ];
    for (const headers of others) {
      const answer = await server.call(method, path, { headers: headers as Record<string, string> });
      assertRejected(answer, [401, 'UNAUTHORIZED'], name);
      assert.equal(answer.headers['x-ratelimit-limit'], undefined);
    }
  }
});

for (const [name, row] of Object.entries(accessTable)) {
  describe(name, () => {
    test('rejects a request with no key, a malformed key or an unknown key', async () => {
      const unknown = newKeyValue('organization');
      const typo = unknown.slice(0, -1) + (unknown.endsWith('0') ? '1' : '0');
      for (const key of [undefined, '', 'nonsense', typo, unknown, newKeyValue('workspace')]) {
        assertRejected(await send(name, row, undefined, key), [401, 'UNAUTHORIZED'], String(key));
      }
    });

    for (const kind of keyKinds) {
      test(`${kind} key: ${row[kind]}, and never with an expired or revoked key or an owner who left`, async () => {
        const refusal = refusalOfKind(row, kind);
        const created = await server.operator('POST', '/operator/v1/keys', {
          name: 'test',
          ...sampleKeys[kind],
        });
        const { id, value: key } = created.json;
        const answer = await send(name, row, kind, key);
        if (refusal) assertRejected(answer, refusal, kind);
        else assertAllowed(answer, kind);

        const expiring = await server.createKey({
          ...sampleKeys[kind],
          expires_at: new Date(start.getTime() + 2 * 86_400_000).toISOString(),
        });
        server.now = new Date(start.getTime() + 2 * 86_400_000);
        assertRejected(await send(name, row, kind, expiring), [401, 'UNAUTHORIZED'], 'expired');
        server.now = start;

        await server.operator('DELETE', `/operator/v1/keys/${id}`);
        assertRejected(await send(name, row, kind, key), [401, 'UNAUTHORIZED'], 'revoked');
      });
    }

    for (const kind of ['organization', 'user', 'instance'] as const) {
      if (row[kind] === 'forbidden') continue;
      test(`${kind} key: its rights change with the owner's role, and end when the owner leaves`, async () => {
        const setOwner = (fields: Record<string, unknown>) =>
          server.platform({
            organizations: ['1001', '2001', '2002'].map((id) => ({
              provider: 'github',
              provider_organization_id: id,
              ...(id.startsWith('2') && { instance: 'ghe' }),
              members: [{ user_id: '9003', username: 'owner', seat: false, ...fields }],
            })),
          });
        await setOwner({ role: 'cr_admin', active: true });
        const isSelfHostedOnly = row.plan === 'self_hosted_enterprise' && kind !== 'instance';
        const key = await server.createKey({
          ...sampleKeys[kind],
          ...(isSelfHostedOnly && { org_id: '2001', instance: 'ghe' }),
          owner: '9003',
        });
        assertAllowed(await send(name, row, kind, key), 'admin');
        for (const role of ['cr_member', 'cr_billing_admin'] as const) {
          await setOwner({ role });
          const answer = await send(name, row, kind, key);
          if (roleGrants(role, row.right)) assertAllowed(answer, role);
          else assertRejected(answer, [403, row.right === 'admin' ? 'NOT_ADMIN' : 'PERMISSION_DENIED'], role);
        }
        await setOwner({ role: 'cr_admin', active: false });
        assertRejected(await send(name, row, kind, key), [401, 'UNAUTHORIZED'], 'left');
      });
    }

    if (row.workspace !== 'forbidden') {
      test('workspace token: rejected once its owner is no longer a workspace admin', async () => {
        const setAdmins = (admins: string[]) => server.platform({ workspaces: [{ slug: 'acme', admins }] });
        await setAdmins(['user-9001@acme.test', 'other@acme.test']);
        const key = await server.createKey({ ...sampleKeys.workspace, owner: 'other@acme.test' });
        assertAllowed(await send(name, row, 'workspace', key), 'admin');
        await setAdmins(['user-9001@acme.test']);
        assertRejected(await send(name, row, 'workspace', key), [403, 'WORKSPACE_ADMIN_REQUIRED'], 'demoted');
      });
    }

    if (row.workspace === 'one' || row.workspace === 'all_or_one') {
      test('workspace token: a foreign, unknown or inactive org_id is reported as not found', async () => {
        const key = await server.createKey(sampleKeys.workspace);
        await server.platform({
          organizations: [
            organization({ provider_organization_id: '1009', workspace: 'acme', active: false }),
          ],
        });
        for (const orgId of ['3001', '2001', '1009', 'no-such']) {
          assertRejected(
            await send(name, row, 'workspace', key, orgId),
            [404, 'ORGANIZATION_NOT_FOUND'],
            orgId,
          );
        }
      });
    }

    if (row.plan !== 'any') {
      test('rejects an organization that is not on the Enterprise plan', async () => {
        for (const fields of [{ plan: 'pro' }, { plan: 'enterprise', subscription: 'none' }]) {
          const orgId = '4001';
          await server.platform({
            organizations: [
              organization({
                provider_organization_id: orgId,
                subscription: 'active',
                members: [member('9001', { role: 'cr_admin' })],
                ...fields,
              }),
            ],
          });
          const key = await server.createKey({ ...sampleKeys.user, org_id: orgId });
          const answer = await send(name, row, undefined, key);
          const isMissing402 = row.plan === 'self_hosted_enterprise' && fields.subscription === 'none';
          const expected: [number, string] = isMissing402
            ? [402, 'NO_ACTIVE_SUBSCRIPTION']
            : [403, row.plan === 'self_hosted_enterprise' ? 'SELF_HOSTED_ONLY' : 'ENTERPRISE_REQUIRED'];
          assertRejected(answer, expected, JSON.stringify(fields));
        }
      });
    }
  });
}
