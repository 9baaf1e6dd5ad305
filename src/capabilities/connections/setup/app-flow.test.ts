import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, startTestApp } from '../../../../test/harness.ts';
import { settled, show, startDouble } from '../../../../test/hosts/connected-host.ts';
import { fillForge } from '../../../../test/hosts/forge/sample-forge.ts';
import { GitHubDouble } from '../../../../test/hosts/github/github-double.ts';
import { signInAs } from '../../../../test/session.ts';

const app = await startTestApp();
const github = await startDouble(new GitHubDouble());
const forge = fillForge(github);
await app.queue.startWorkers();
const admin = await signInAs(app, 'root@postil.test', { isInstallationAdmin: true });
const other = await signInAs(app, 'second@postil.test', { isInstallationAdmin: true });

const flows = '/dashboard/v1/app-flows';
const unescapeHtml = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');

async function begin(more: Record<string, unknown> = {}) {
  const begun = await admin.call('POST', flows, {
    body: { provider: 'github', url: github.url, organization: 'acme', ...more },
  });
  assert.equal(begun.status, 201, begun.text);
  const form = await admin.call('GET', begun.json.page);
  assert.equal(form.status, 200, form.text);
  const [, action] = /<form method="post" action="([^"]+)"/.exec(form.text)!;
  const [, manifest] = /name="manifest" value="([^"]+)"/.exec(form.text)!;
  const address = new URL(unescapeHtml(action!));
  return {
    page: begun.json.page as string,
    form,
    address,
    state: address.searchParams.get('state')!,
    manifest: JSON.parse(unescapeHtml(manifest!)),
  };
}

const callback = (state: string, code: string, session = admin): Promise<Answer> =>
  session.call('GET', `${flows}/callback?code=${code}&state=${state}`);
const connections = async () => [...(await app.database.sql`SELECT id FROM connections`)];

test('an App is created from a manifest, and its credentials become a connection that is synced once it is installed', async () => {
  const { form, address, state, manifest } = await begin();
  assert.equal(address.origin + address.pathname, `${github.url}/organizations/acme/settings/apps/new`);
  assert.match(
    form.headers['content-security-policy']!,
    new RegExp(`default-src 'none';.*form-action ${github.url} `),
  );
  assert.deepEqual(manifest.default_permissions, {
    contents: 'write',
    pull_requests: 'write',
    members: 'read',
    checks: 'write',
    issues: 'read',
    statuses: 'write',
    metadata: 'read',
  });
  assert.equal(manifest.redirect_url, `http://postil.test${flows}/callback`);
  const code = github.createApp(manifest);
  const back = await callback(state, code);
  assert.deepEqual(
    [back.status, back.headers.location],
    [302, `${github.url}/apps/postil/installations/new`],
  );
  const [{ id }] = (await connections()) as unknown as [{ id: string }];
  assert.equal(manifest.hook_attributes.url, `http://postil.test/hooks/${id}`);
  await settled(app);
  const shown = await show(app, id);
  assert.deepEqual([shown.status, shown.account.username, shown.organizations], ['ready', 'postil[bot]', []]);

  github.app!.installations.set(1, forge.acme);
  assert.equal((await admin.call('POST', `/dashboard/v1/connections/${id}/sync`)).status, 202);
  await settled(app);
  assert.deepEqual((await show(app, id)).organizations, ['acme']);
  const { text } = await app.operator('GET', '/operator/v1/audit/entries');
  assert.match(text, /"action":"connection\.created"[^\n]*root@postil\.test/);
  for (const secret of ['PRIVATE KEY', github.app!.hook.secret!, code, state]) {
    assert.ok(!text.includes(secret));
    assert.ok(!app.logLines.join().includes(secret));
  }

  const again = await callback(state, code);
  assert.equal(again.headers.location, '/connections?app=expired', 'a state serves once');
  assert.equal((await connections()).length, 1);
  assert.equal((await admin.call('DELETE', `/dashboard/v1/connections/${id}`)).status, 204);
});

test('a callback for another person, too late, without a state, or with a wrong code creates no connection', async () => {
  const { state, manifest, page } = await begin();
  const code = github.createApp(manifest);
  assert.equal((await other.call('GET', page)).status, 404);
  for (const [answer, outcome] of [
    [await callback(state, code, other), 'expired'],
    [await callback('nonsense', code), 'expired'],
    [await admin.call('GET', `${flows}/callback`), 'refused'],
    [await callback(state, 'wrong'), 'refused'],
    [await callback(state, code), 'expired'],
  ] as const)
    assert.deepEqual([answer.status, answer.headers.location], [302, `/connections?app=${outcome}`]);
  const late = await begin();
  app.now = new Date(app.now.getTime() + 2 * 60 * 60_000);
  assert.equal(
    (await callback(late.state, github.createApp(late.manifest))).headers.location,
    '/connections?app=expired',
  );
  assert.deepEqual(await connections(), []);
});

test('a host without apps, or an invalid URL, is rejected at the start', async () => {
  for (const [body, message] of [
    [{ provider: 'gitea', url: github.url }, /gitea does not support apps/],
    [{ provider: 'github', url: 'javascript:alert(1)' }, /http or https/],
    [{ provider: 'github', url: 'https://user:word@host.test' }, /no user/],
  ] as const) {
    const answer = await admin.call('POST', flows, { body });
    assert.equal(answer.status, 400);
    assert.match(answer.json.error.message, message);
  }
  const cloud = await begin({ url: undefined, organization: undefined });
  assert.equal(cloud.address.href.split('?')[0], 'https://github.com/settings/apps/new');
});

test('a redirect to an app page on another site is not followed', async () => {
  const { state, manifest } = await begin();
  github.fault = ({ path }) =>
    path.includes('/app-manifests/')
      ? {
          status: 201,
          json: { id: 1, pem: 'x', webhook_secret: 'y', html_url: 'https://elsewhere.test/apps/x' },
        }
      : undefined;
  const answer = await callback(state, github.createApp(manifest));
  github.fault = () => undefined;
  assert.equal(answer.headers.location, '/connections?app=refused');
  assert.deepEqual(await connections(), []);
});
