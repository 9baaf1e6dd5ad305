import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { startTestApp } from '../../../../../test/harness.ts';
import {
  connect,
  connectionsPath,
  deliver,
  settled,
  show,
  startDouble,
} from '../../../../../test/hosts/connected-host.ts';
import { checkHost } from '../../../../../test/hosts/contracts/host-contract.ts';
import { GitHubDouble } from '../../../../../test/hosts/github/github-double.ts';
import { apiUrl } from './github-url.ts';

const app = await startTestApp();
const github = await startDouble(new GitHubDouble());
await app.queue.startWorkers();
const { forge, id } = await checkHost(app, github, { provider: 'github' });
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});

test('the API of the cloud has its own host, that of Enterprise Server a path', () => {
  assert.equal(apiUrl('https://github.com'), 'https://api.github.com');
  assert.equal(apiUrl('https://ghe.acme.test'), 'https://ghe.acme.test/api/v3');
  assert.ok(github.requests.every(({ path }) => path.startsWith('/api/v3/')));
});

test('an app is connected by its key, reuses its tokens, and has one webhook', async () => {
  await app.operator('DELETE', `${connectionsPath}/${id}`);
  github.app = {
    id: 77,
    slug: 'postil',
    publicKey,
    installations: new Map([
      [1, forge.acme],
      [2, forge.other],
    ]),
    hook: {},
  };
  const base = { provider: 'github', url: github.url, instance: 'by-app' };
  const credentials = { app_id: 77, private_key: privateKey, installation_id: 1 };
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
  for (const wrong of [{ private_key: 'no key' }, { private_key: other }, { app_id: '78' }]) {
    const answer = await app.operator('POST', connectionsPath, {
      ...base,
      credentials: { ...credentials, ...wrong },
    });
    assert.deepEqual([answer.status, answer.json.error.code], [400, 'CONNECTION_REFUSED'], answer.text);
  }
  const created = await connect(app, { ...base, credentials });
  assert.deepEqual(created.account, { id: 'app:77', username: 'postil[bot]' });
  assert.deepEqual(created.organizations, ['acme'], 'only the installation that was named');
  await settled(app);
  assert.equal((await show(app, created.id)).status, 'ready');
  assert.deepEqual(
    [github.app.hook.url, github.app.hook.secret],
    [created.webhook.url, created.webhook.secret],
  );
  const tokens = () => github.requests.filter(({ path }) => path.endsWith('/access_tokens')).length;
  const before = tokens();
  const pulls = [1, 2, 3].map(() => github.state.open(forge.app, forge.ada));
  for (const delivery of github.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
  await settled(app);
  assert.equal(tokens(), before, 'the token of the first call serves the others');
  const rows = await app.database.sql`
    SELECT p.number FROM reviewed_pull_requests p JOIN organizations o ON o.id = p.organization_id
    JOIN instances i ON i.id = o.instance_id WHERE i.slug = 'by-app' ORDER BY 1`;
  assert.deepEqual(
    rows.map(({ number }) => number),
    pulls.map(({ number }) => number),
  );
  github.state.review(pulls[0]!, { id: 900_077, login: 'postil', email: '', isBot: true });
  for (const delivery of github.takeDeliveries()) await deliver(app, delivery);
  app.now = new Date(app.now.getTime() + 1000);
  await settled(app);
  const reviewed = await app.database.sql`
    SELECT reviewed_by FROM host_pull_requests p JOIN organizations o ON o.id = p.organization_id
    JOIN instances i ON i.id = o.instance_id WHERE i.slug = 'by-app' AND p.number = ${pulls[0]!.number}`;
  assert.deepEqual(
    reviewed[0]!.reviewed_by,
    [],
    'the app itself is no reviewer, whose id as an author is another',
  );
  app.now = new Date(); // the check compares it with the host's clock
  const { json } = await app.operator('POST', `${connectionsPath}/${created.id}/check`);
  assert.deepEqual(
    json.checks.filter(({ ok }: { ok: boolean }) => !ok),
    [],
  );
  await app.operator('PATCH', `${connectionsPath}/${created.id}`, { review: 'on' });
  github.app.permissions = { contents: 'read', pull_requests: 'write', members: 'read', checks: 'write' };
  const lacking = await app.operator('POST', `${connectionsPath}/${created.id}/check`);
  assert.deepEqual(
    lacking.json.checks.filter(({ ok }: { ok: boolean }) => !ok),
    [
      {
        name: 'commit in acme',
        ok: false,
        message: 'to commit suggestions (`fix`), the app needs contents: write',
      },
      {
        name: 'issues in acme',
        ok: false,
        message: 'for the check `linked_issue`, the app needs issues: read',
      },
    ],
  );
});
