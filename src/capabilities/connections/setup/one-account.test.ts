import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import {
  connect,
  connectionsPath,
  settled,
  show,
  startDouble,
} from '../../../../test/hosts/connected-host.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea-double.ts';
import { fillForge, hostToken } from '../../../../test/hosts/sample-forge.ts';

const app = await startTestApp();
const gitea = await startDouble(new GiteaDouble());
const forge = fillForge(gitea);
gitea.tokens.set('a-second-token-of-the-account', forge.account);
gitea.tokens.set('a-token-of-somebody-else', forge.ada);
await app.queue.startWorkers();
const { sql } = app.database;

const request = (more: Record<string, unknown> = {}) => ({
  provider: 'gitea',
  url: gitea.url,
  credentials: { token: hostToken },
  ...more,
});
const refused = async (more: Record<string, unknown>, named: string) => {
  const before = (await sql`SELECT 1 FROM connections`).length;
  const answer = await app.operator('POST', connectionsPath, request(more));
  assert.deepEqual([answer.status, answer.json.error.code], [409, 'CONFLICT'], answer.text);
  assert.ok(answer.json.error.message.includes(named), answer.text);
  assert.ok(!answer.text.includes(hostToken));
  assert.equal((await sql`SELECT 1 FROM connections`).length, before);
};

afterEach(async () => {
  await settled(app);
  for (const { id } of await sql`SELECT id FROM connections`)
    assert.equal((await app.operator('DELETE', `${connectionsPath}/${id}`)).status, 204);
});

test('an account is connected once for an organization, whatever the token or the spelling', async () => {
  const { id } = await connect(app, request({ organizations: ['acme'] }));
  await refused({ organizations: ['acme'] }, id);
  await refused({ organizations: ['ACME'] }, 'for acme');
  await refused({ organizations: [String(forge.acme.id), 'other'] }, 'for acme');
  await refused({}, 'for acme');
  await refused({ url: `${gitea.url}/` }, 'for acme');
  await refused({ credentials: { token: 'a-second-token-of-the-account' } }, 'for acme');
});

test('a host that the operator has named twice is one host', async () => {
  await connect(app, request({ organizations: ['acme'], instance: 'named-once' }));
  await refused({ organizations: ['acme'], instance: 'named-otherwise' }, 'for acme');
  await refused(
    { url: gitea.url.toUpperCase().replace('HTTP', 'Http'), organizations: ['acme'] },
    'for acme',
  );
  const { id } = await connect(app, request({ organizations: ['other'], instance: 'named-otherwise' }));
  const widened = await app.operator('PATCH', `${connectionsPath}/${id}`, { organizations: null });
  assert.deepEqual([widened.status, widened.json.error.code], [409, 'CONFLICT']);
});

test('an account that is connected for all its organizations cannot be connected for some, before or after its first sync', async () => {
  const { id } = await connect(app, request());
  await refused({}, id);
  await refused({ organizations: ['other'] }, id);
  await settled(app);
  await refused({ organizations: ['other'] }, 'for other');
  await refused({ credentials: { token: 'a-second-token-of-the-account' } }, 'for acme, other');
});

test('of simultaneous requests for the same account exactly one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => app.operator('POST', connectionsPath, request())),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409]);
  assert.equal((await sql`SELECT 1 FROM connections`).length, 1);
});

test('one account may have several connections with different organizations, and so may several accounts', async () => {
  await connect(app, request({ organizations: ['acme'] }));
  await connect(app, request({ organizations: ['other'] }));
  await connect(
    app,
    request({ organizations: ['acme'], credentials: { token: 'a-token-of-somebody-else' } }),
  );
});

test('a change cannot make two connections of an account overlap; new credentials of the account can', async () => {
  const { id } = await connect(app, request({ organizations: ['acme'] }));
  await connect(app, request({ organizations: ['other'] }));
  await settled(app);
  const before = await show(app, id);
  for (const organizations of [['acme', 'other'], null]) {
    const answer = await app.operator('PATCH', `${connectionsPath}/${id}`, { organizations, review: 'off' });
    assert.deepEqual([answer.status, answer.json.error.code], [409, 'CONFLICT'], answer.text);
  }
  assert.deepEqual(await show(app, id), before);
  const credentials = { token: 'a-second-token-of-the-account' };
  assert.equal((await app.operator('PATCH', `${connectionsPath}/${id}`, { credentials })).status, 200);
});
