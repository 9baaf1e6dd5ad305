import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { permissionsOfBuiltInRole } from '../src/access/permissions.ts';
import type { SessionEndpoint } from '../src/http/endpoint.ts';
import {
  accessTable,
  accountEndpoints,
  dashboardTable,
  installationAdminEndpoints,
  publicEndpoints,
  type SessionRow,
  sharedWithDashboard,
} from './access-table.ts';
import { type Answer, startTestApp } from './harness.ts';
import { member, organization, samplePlatform } from './sample-platform.ts';
import { sessionWith, signInAs, type TestSession } from './session.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
await server.platform({
  workspaces: [{ slug: 'other', name: 'Other', admins: ['boss@other.test'] }],
  organizations: [
    organization({ provider_organization_id: '5001', workspace: 'other', members: [] }),
    organization({ provider_organization_id: '1009', workspace: 'acme', active: false }),
  ],
});
const start = server.now;

const table: Record<string, SessionRow> = { ...dashboardTable };
for (const name of sharedWithDashboard) {
  const row = accessTable[name]!;
  const [method, path] = name.split(' ');
  table[`${method} /dashboard${path}`] = {
    ...row,
    sample: { ...row.sample, path: `/dashboard${row.sample.path}` },
  };
}

async function idOf(kind: 'organizations' | 'workspaces', name: string): Promise<string> {
  const [row] =
    kind === 'organizations'
      ? await server.database.sql`SELECT id FROM organizations WHERE provider_organization_id = ${name}`
      : await server.database.sql`SELECT id FROM workspaces WHERE slug = ${name}`;
  return row!.id;
}
const ownOrganization = await idOf('organizations', '1001');
const selfHosted = await idOf('organizations', '2001');
const workspace = `workspace:${await idOf('workspaces', 'acme')}`;
const viewsFor = (row: SessionRow) => ({
  organization: `organization:${row.plan === 'self_hosted_enterprise' ? selfHosted : ownOrganization}`,
  workspace,
});

// Keys of an organization have a kind; keys of a workspace are always tokens.
function bodyFor(name: string, row: SessionRow, view: string) {
  if (name === 'POST /dashboard/v1/keys' && !view.startsWith('workspace'))
    return { ...row.sample.body, kind: 'user' };
  return row.sample.body;
}

async function send(
  name: string,
  row: SessionRow,
  session: Pick<TestSession, 'call'>,
  view: string | undefined,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const path = row.sample.path.replaceAll('{organization}', ownOrganization);
  const scope = view === undefined ? '' : `${path.includes('?') ? '&' : '?'}scope=${view}`;
  await server.resetLimits();
  return session.call(name.split(' ', 1)[0]!, path + scope, {
    body: bodyFor(name, row, view ?? ''),
    headers,
  });
}

const codeOf = (answer: Answer): string | undefined =>
  answer.json?.error?.code ?? answer.json?.errors?.[0]?.code;

function assertRejected(answer: Answer, [status, code]: [number, string], where: string): void {
  assert.deepEqual([answer.status, codeOf(answer)], [status, code], `${where}: ${answer.text}`);
}

function assertAllowed(answer: Answer, where: string): void {
  // A missing seat is not a missing right; the verb checks it after all rights.
  if (codeOf(answer) === 'SEAT_REQUIRED') return;
  assert.ok(![401, 403].includes(answer.status) && answer.status < 500, `${where}: ${answer.text}`);
  assert.notEqual(codeOf(answer), 'ORGANIZATION_NOT_FOUND', where);
}

/** Sets the role of member 9100 of organizations 1001 and 2001, who is not an admin of the workspace. */
const setRole = (fields: Record<string, unknown>) => {
  const members = [member('9100', fields)];
  return server.platform({
    organizations: [
      { provider: 'github', provider_organization_id: '1001', members },
      { provider: 'github', provider_organization_id: '2001', instance: 'ghe', members },
    ],
  });
};
await setRole({ role: 'cr_admin' });
const workspaceAdmin = await signInAs(server, 'user-9001@acme.test');
let organizationMember = await signInAs(server, 'user-9100@acme.test');
const installationAdmin = await signInAs(server, 'root@postil.test', { isInstallationAdmin: true });

test('every endpoint for signed-in people is in the access table, with the access, plan and right it declares', () => {
  const declared = server.app.endpoints.filter(
    (endpoint): endpoint is SessionEndpoint => endpoint.audience === 'session',
  );
  const nameOf = ({ method, path }: SessionEndpoint) => `${method} ${path}`;
  assert.deepEqual(declared.map(nameOf).sort(), Object.keys(table).sort());
  for (const endpoint of declared) {
    const { user, workspace, plan, right } = table[nameOf(endpoint)]!;
    const { access, requires } = endpoint;
    assert.deepEqual([access.user, access.workspace], [user, workspace], nameOf(endpoint));
    assert.deepEqual([requires.plan, requires.right], [plan, right], nameOf(endpoint));
  }
});

test('changes without a session are rejected if another site may have sent them', async () => {
  for (const name of [...publicEndpoints, ...accountEndpoints, ...installationAdminEndpoints]) {
    const [method, path] = name.split(' ') as [string, string];
    if (method === 'GET') continue;
    const cookie = workspaceAdmin.cookie;
    for (const headers of [
      { cookie },
      { cookie, 'x-postil-dashboard': '1', origin: 'https://evil.test' },
      { cookie, 'x-postil-dashboard': '1', 'sec-fetch-site': 'cross-site' },
    ]) {
      const answer = await server.call(method, path, {
        body: {},
        headers: headers as Record<string, string>,
      });
      assertRejected(answer, [403, 'PERMISSION_DENIED'], name);
    }
  }
});

test('every account endpoint rejects a request without a session', async () => {
  for (const name of [...accountEndpoints, ...installationAdminEndpoints]) {
    const [method, path] = name.split(' ') as [string, string];
    for (const cookie of ['', 'postil_session=', 'postil_session=nonsense'])
      assertRejected(await sessionWith(server, cookie).call(method, path), [401, 'UNAUTHORIZED'], name);
  }
});

test('what is for admins of the installation refuses everybody else, before it looks at what they send', async () => {
  for (const name of installationAdminEndpoints) {
    const [method, path] = name.split(' ') as [string, string];
    const answer = await workspaceAdmin.call(method, path, { body: { nonsense: true } });
    assertRejected(answer, [403, 'NOT_ADMIN'], name);
  }
});

for (const [name, row] of Object.entries(table)) {
  describe(name, () => {
    const views = viewsFor(row);
    test('rejects a missing, unknown, expired, idle or signed-out session, and an API key', async () => {
      const refused: [number, string] = [401, 'UNAUTHORIZED'];
      for (const cookie of [
        '',
        'postil_session=',
        'postil_session=nonsense',
        `other=${workspaceAdmin.cookie}`,
      ])
        assertRejected(
          await send(name, row, sessionWith(server, cookie), views.organization),
          refused,
          cookie,
        );
      const key = await server.createKey({ kind: 'user', provider: 'github', org_id: '1001', owner: '9001' });
      const withKey = { 'x-service-api-key': key };
      assertRejected(
        await send(name, row, sessionWith(server, ''), views.organization, withKey),
        refused,
        'key',
      );

      for (const hours of [13, 24 * 8]) {
        server.now = new Date(start.getTime() + hours * 3_600_000);
        assertRejected(await send(name, row, workspaceAdmin, views.organization), refused, `${hours} h`);
        server.now = start;
      }
      const leaving = await signInAs(server, 'user-9002@acme.test');
      await leaving.call('POST', '/dashboard/v1/sign-out', { body: { everywhere: false } });
      assertRejected(await send(name, row, leaving, views.organization), refused, 'signed out');
    });

    test('allows an admin where the view is offered, and nobody without a view', async () => {
      for (const session of [workspaceAdmin, installationAdmin]) {
        const inOrganization = await send(name, row, session, views.organization);
        if (row.user === 'forbidden')
          assertRejected(inOrganization, [403, 'KEY_TYPE_FORBIDDEN'], 'organization');
        else assertAllowed(inOrganization, 'organization');
        assert.equal(inOrganization.headers['cache-control'], 'no-store', 'the browser stores nothing');
        const inWorkspace = await send(name, row, session, views.workspace);
        if (row.workspace === 'forbidden')
          assertRejected(inWorkspace, [403, 'KEY_TYPE_FORBIDDEN'], 'workspace');
        else if (row.workspace === 'one') assertRejected(inWorkspace, [400, 'ORG_ID_REQUIRED'], 'workspace');
        else assertAllowed(inWorkspace, 'workspace');
      }
      for (const view of [undefined, '', 'organization:', 'workspace:acme', `user:${ownOrganization}`])
        assertRejected(await send(name, row, workspaceAdmin, view), [400, 'INVALID_REQUEST'], String(view));
    });

    test('organizations and workspaces that a person cannot see are not found: foreign, inactive and unknown ones', async () => {
      const notFound: [number, string] = [404, 'ORGANIZATION_NOT_FOUND'];
      const unseen = [
        ...(await Promise.all(['5001', '1009'].map((id) => idOf('organizations', id)))).map(
          (id) => `organization:${id}`,
        ),
        `workspace:${await idOf('workspaces', 'other')}`,
        'organization:00000000-0000-4000-8000-000000000000',
        `workspace:${ownOrganization}`,
      ];
      for (const view of unseen) {
        assertRejected(await send(name, row, workspaceAdmin, view), notFound, view);
        assertRejected(await send(name, row, organizationMember, view), notFound, view);
      }
      assertRejected(
        await send(name, row, organizationMember, views.workspace),
        notFound,
        'member, workspace',
      );
    });

    if (row.user !== 'forbidden') {
      test("a person's rights change with the role, and end when they leave", async () => {
        for (const role of ['cr_admin', 'cr_member', 'cr_billing_admin'] as const) {
          await setRole({ role });
          const answer = await send(name, row, organizationMember, views.organization);
          const { right } = row;
          const isGranted =
            right === 'none' ||
            (right === 'admin' ? role === 'cr_admin' : permissionsOfBuiltInRole(role).has(right as never));
          if (isGranted) assertAllowed(answer, role);
          else assertRejected(answer, [403, right === 'admin' ? 'NOT_ADMIN' : 'PERMISSION_DENIED'], role);
        }
        await setRole({ role: 'cr_admin', active: false });
        assertRejected(
          await send(name, row, organizationMember, views.organization),
          [401, 'UNAUTHORIZED'],
          'left',
        );
        await setRole({ role: 'cr_admin', active: true });
        assertRejected(
          await send(name, row, organizationMember, views.organization),
          [401, 'UNAUTHORIZED'],
          'back: the previous session stays ended',
        );
        organizationMember = await signInAs(server, 'user-9100@acme.test');
      });
    }

    if (!name.startsWith('GET')) {
      test('rejects requests that another site may have sent', async () => {
        for (const headers of [
          { 'x-postil-dashboard': '' },
          { origin: 'https://evil.test' },
          { origin: 'null' },
          { 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-site': 'same-site' },
        ]) {
          const answer = await send(name, row, workspaceAdmin, views.organization, headers as never);
          assertRejected(answer, [403, 'PERMISSION_DENIED'], JSON.stringify(headers));
        }
      });
    }
  });
}
