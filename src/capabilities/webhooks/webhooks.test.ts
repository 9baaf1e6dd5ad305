import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';
import { type AllowedAddresses, parseAllowedAddresses } from '../../outbound/address-guard.ts';

const allowed = parseAllowedAddresses('10.20.0.0/16,hooks.internal') as AllowedAddresses;
const server = await startTestApp({ settings: { customerAddresses: allowed } });
await server.platform(samplePlatform());
const key = await server.createKey(sampleKeys.organization);
const foreignKey = await server.createKey({ ...sampleKeys.organization, org_id: '3001' });
const workspaceKey = await server.createKey(sampleKeys.workspace);
const memberKey = await server.createKey({ ...sampleKeys.user, owner: '9002' });

beforeEach(() => server.resetLimits());

const path = '/v1/webhooks';
const body = { url: 'https://198.51.99.1/hook?token=abc', types: ['postil.member.changed'] };
const create = (fields: object = {}) => server.call('POST', path, { key, body: { ...body, ...fields } });
const codeOf = ({ status, json }: { status: number; json?: { error?: { code: string } } }) => [
  status,
  json?.error?.code,
];
const secretCount = async () => {
  const [row] = await server.database.sql`SELECT count(*)::int AS count FROM sealed_secrets`;
  return row!.count;
};

describe('setting up', () => {
  test('a webhook is created, listed, changed and removed; its secret is shown once', async () => {
    const created = await create();
    assert.equal(created.status, 201, created.text);
    const { secret, ...webhook } = created.json;
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual(webhook, {
      id: webhook.id,
      ...body,
      active: true,
      notice: null,
      failing_since: null,
      created_at: server.now.toISOString(),
    });
    const listed = await server.get(path, key);
    assert.deepEqual(listed.json, { data: [webhook], next_cursor: null });
    assert.equal(listed.headers['x-ratelimit-limit'], '60');
    const one = `${path}/${webhook.id}`;
    const change = { active: false, types: ['postil.security.fixed', 'postil.security.fixed'] };
    const changed = await server.call('PATCH', one, { key, body: change });
    assert.deepEqual(changed.json, { ...webhook, active: false, types: ['postil.security.fixed'] });
    const rotated = await server.call('POST', `${one}/rotate`, { key });
    assert.deepEqual([rotated.status, Object.keys(rotated.json)], [200, ['secret']]);
    assert.notEqual(rotated.json.secret, secret);
    assert.equal((await server.call('DELETE', one, { key })).status, 204);
    assert.deepEqual((await server.get(path, key)).json.data, []);
    assert.deepEqual(codeOf(await server.call('DELETE', one, { key })), [404, 'NOT_FOUND']);
    assert.equal(await secretCount(), 0, 'nothing is left of its secrets');
  });

  test('the list has pages, newest first', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await create()).json.id);
    const first = await server.get(`${path}?limit=2`, key);
    const rest = await server.get(`${path}?limit=2&cursor=${first.json.next_cursor}`, key);
    const listed = [...first.json.data, ...rest.json.data].map(({ id }: { id: string }) => id);
    assert.deepEqual(listed, ids);
    assert.equal(rest.json.next_cursor, null);
    for (const id of ids) await server.call('DELETE', `${path}/${id}`, { key });
  });

  test('a workspace token names the organization; members without the Admin role have no access', async () => {
    const request = (fields: object) =>
      server.call('POST', path, { key: workspaceKey, body: { ...body, ...fields } });
    assert.deepEqual(codeOf(await request({})), [400, 'ORG_ID_REQUIRED']);
    const created = await request({ org_id: '1001' });
    assert.equal(created.status, 201, created.text);
    const one = `${path}/${created.json.id}`;
    const other = await server.call('DELETE', `${one}?org_id=1002`, { key: workspaceKey });
    assert.deepEqual(codeOf(other), [404, 'NOT_FOUND']);
    assert.equal((await server.call('DELETE', `${one}?org_id=1001`, { key: workspaceKey })).status, 204);
    assert.deepEqual(codeOf(await server.get(path, memberKey)), [403, 'NOT_ADMIN']);
  });

  test('the webhook of another organization is not found, and stays as it is', async () => {
    const { json: webhook } = await create();
    const one = `${path}/${webhook.id}`;
    const { json: accepted } = await server.call('POST', `${one}/test`, { key });
    const attempts: [string, string, object?][] = [
      ['PATCH', one, { active: false }],
      ['DELETE', one],
      ['POST', `${one}/test`],
      ['POST', `${one}/rotate`],
      ['GET', `${one}/deliveries`],
      ['POST', `${one}/deliveries/${accepted.id}/replay`],
    ];
    for (const [method, target, sent] of attempts) {
      const answer = await server.call(method, target, { key: foreignKey, ...(sent && { body: sent }) });
      assert.deepEqual(codeOf(answer), [404, 'NOT_FOUND'], `${method} ${target}`);
    }
    const { secret: _, ...unchanged } = webhook;
    assert.deepEqual((await server.get(path, key)).json.data, [unchanged]);
    assert.equal((await server.get(`${one}/deliveries`, key)).json.data.length, 1);
    await server.call('DELETE', one, { key });
  });

  test('every change is in the audit log, without the path of the URL or a secret', async () => {
    const { json: webhook } = await create();
    const one = `${path}/${webhook.id}`;
    await server.call('PATCH', one, { key, body: { active: false } });
    await server.call('PATCH', one, { key, body: { active: false } });
    await server.call('POST', `${one}/rotate`, { key });
    await server.call('DELETE', one, { key });
    const entries = await server.database.sql`
      SELECT action, resource_summary, metadata::text FROM audit_entries WHERE resource_id = ${webhook.id} ORDER BY position`;
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['webhook.created', 'webhook.updated', 'webhook.secret_rotated', 'webhook.deleted'],
    );
    assert.doesNotMatch(JSON.stringify(entries), /token|whsec|hook\?/);
    assert.equal(entries[0]!.resource_summary, 'Webhook to 198.51.99.1');
  });

  test('an organization can have 50 webhooks', async () => {
    const answers = [];
    for (let count = 0; count < 51; count += 1) answers.push(await create());
    assert.deepEqual(answers.filter(({ status }) => status === 201).length, 50);
    assert.deepEqual(codeOf(answers.at(-1)!), [409, 'CONFLICT']);
    await server.resetLimits();
    for (const { json } of answers.slice(0, 50)) await server.call('DELETE', `${path}/${json.id}`, { key });
  });
});

describe('what is rejected, and leaves nothing behind', () => {
  const cases: [string, object][] = [
    ['no URL', { url: undefined }],
    ['no types', { types: [] }],
    ['an unknown type', { types: ['postil.unknown'] }],
    ['an unknown field', { secret: 'whsec_AAAA' }],
    ['another protocol', { url: 'ftp://198.51.99.1/' }],
    ['a relative URL', { url: '/hook' }],
    ['a URL with a user name', { url: 'https://user@198.51.99.1/' }],
    ['a URL with a password', { url: 'https://:password@198.51.99.1/' }],
    ['a URL that is too long', { url: `https://198.51.99.1/${'a'.repeat(2048)}` }],
    ['active that is no boolean', { active: 'yes' }],
    ['a loopback address', { url: 'http://127.0.0.1:9/' }],
    ['a loopback address in IPv6', { url: 'http://[::1]:9/' }],
    ['a mapped loopback address', { url: 'http://[::ffff:127.0.0.1]:9/' }],
    ['a loopback address as a number', { url: 'http://2130706433/' }],
    ['a loopback address in octal', { url: 'http://0177.0.0.1/' }],
    ['the unspecified address', { url: 'http://0.0.0.0:9/' }],
    ['a private address', { url: 'https://10.21.0.1/' }],
    ['the metadata service of a cloud', { url: 'http://169.254.169.254/latest' }],
    ['a name that resolves to a loopback address', { url: 'http://localhost:9/' }],
  ];
  for (const [name, fields] of cases)
    test(name, async () => {
      assert.deepEqual(codeOf(await create(fields)), [400, 'INVALID_REQUEST']);
      assert.deepEqual((await server.get(path, key)).json.data, []);
      assert.equal(await secretCount(), 0);
    });

  test('a change without a field, with an unknown one, or to an internal address', async () => {
    const { json: webhook } = await create();
    const change = (fields: object) => server.call('PATCH', `${path}/${webhook.id}`, { key, body: fields });
    for (const fields of [{}, { secret: 'x' }, { url: 'http://127.0.0.1/' }, { types: [] }, { active: null }])
      assert.deepEqual(codeOf(await change(fields)), [400, 'INVALID_REQUEST'], JSON.stringify(fields));
    const { secret: _, ...unchanged } = webhook;
    assert.deepEqual((await server.get(path, key)).json.data, [unchanged]);
    await server.call('DELETE', `${path}/${webhook.id}`, { key });
  });

  test('ids that are no UUIDs, unknown deliveries and unknown statuses', async () => {
    const { json: webhook } = await create();
    const one = `${path}/${webhook.id}`;
    const unknown = '00000000-0000-4000-8000-000000000001';
    const post = (target: string) => server.call('POST', target, { key });
    assert.deepEqual(codeOf(await post(`${path}/1/test`)), [400, 'INVALID_REQUEST']);
    assert.deepEqual(codeOf(await post(`${one}/deliveries/1/replay`)), [400, 'INVALID_REQUEST']);
    assert.deepEqual(codeOf(await post(`${one}/deliveries/${unknown}/replay`)), [404, 'NOT_FOUND']);
    assert.deepEqual(codeOf(await server.get(`${one}/deliveries?status=done`, key)), [
      400,
      'INVALID_REQUEST',
    ]);
    await server.call('DELETE', one, { key });
  });
});

test('internal addresses that the operator allows are accepted, by address, range and name', async () => {
  for (const url of ['https://10.20.3.4/', 'https://hooks.internal/', 'https://unknown.invalid/']) {
    const created = await create({ url });
    assert.equal(created.status, 201, `${url}: ${created.text}`);
    await server.call('DELETE', `${path}/${created.json.id}`, { key });
  }
});
