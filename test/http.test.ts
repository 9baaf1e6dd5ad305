import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { newKeyValue } from '../src/access/api-key-value.ts';
import { startTestApp } from './harness.ts';
import { sampleKeys, samplePlatform } from './sample-platform.ts';

const server = await startTestApp({
  settings: { apiKeyHeaderAliases: ['x-other-api-key'] },
});
await server.platform(samplePlatform());
const key = await server.createKey(sampleKeys.organization);
const workspaceKey = await server.createKey(sampleKeys.workspace);
const instanceKey = await server.createKey(sampleKeys.instance);
const operator = { authorization: 'Bearer operator-token-of-the-tests' };

describe('paths and methods', () => {
  test('an unknown path is 404 NOT_FOUND, with or without a key', async () => {
    for (const path of [
      '/v1/nothing',
      '/v1',
      '/v1/organizations/',
      '/operator/v1/nothing',
      '/v2/organizations',
    ]) {
      const answer = await server.get(path);
      assert.deepEqual([answer.status, answer.json?.error.code], [404, 'NOT_FOUND'], path);
    }
  });

  test('a method that the path does not have is 405 METHOD_NOT_ALLOWED with Allow', async () => {
    const answer = await server.call('DELETE', '/v1/organizations', { key });
    assert.deepEqual(
      [answer.status, answer.json.error.code, answer.headers.allow],
      [405, 'METHOD_NOT_ALLOWED', 'GET'],
    );
    const both = await server.call('DELETE', '/operator/v1/platform');
    assert.equal(both.headers.allow, 'PUT, GET');
  });

  test('a fixed word in a path is not taken for an id', async () => {
    const answer = await server.call('PUT', '/v1/roles/permissions', { key });
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET']);
  });

  test('an address that cannot be decoded is 400, never 500', async () => {
    const answer = await server.get('/v1/organizations/%E0%A4%A/repositories', key);
    assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_REQUEST']);
    assert.match(String(answer.headers['content-security-policy']), /default-src 'self'/);
  });

  test('bytes that are not HTTP get a JSON error', async () => {
    await server.app.server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.app.server.server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    socket.end('NONSENSE\r\n\r\n');
    const text = Buffer.concat(await socket.toArray()).toString();
    assert.match(text, /^HTTP\/1\.1 400 /);
    assert.match(text, /"code":"INVALID_REQUEST"/);
  });
});

describe('queries', () => {
  test('an unknown parameter is refused by its name', async () => {
    const answer = await server.get('/v1/organizations?colour=red', key);
    assert.equal(answer.status, 400);
    assert.match(answer.json.error.message, /colour/);
  });

  test('a question mark inside the query hides nothing after it', async () => {
    await server.resetLimits();
    for (const path of ['/v1/me??x=1', '/v1/organizations?limit=5?x=y', '/v1/learnings?limit=1?bogus=2']) {
      assert.equal((await server.get(path, key)).status, 400, path);
    }
  });

  test('a parameter given twice is refused', async () => {
    await server.resetLimits();
    for (const query of ['limit=1&limit=1', 'org_id=1&org_id=1']) {
      assert.equal((await server.get(`/v1/organizations?${query}`, key)).status, 400, query);
    }
  });

  test('integers are plain decimal digits within the range', async () => {
    for (const limit of ['0', '101', '-1', '+1', '1.0', '1e1', ' 1', '0x1', '', 'NaN', '9'.repeat(400)]) {
      await server.resetLimits();
      const answer = await server.get(`/v1/organizations?limit=${encodeURIComponent(limit)}`, key);
      assert.equal(answer.status, 400, limit);
    }
    await server.resetLimits();
    assert.equal((await server.get('/v1/organizations?limit=100', key)).status, 200);
  });

  test('a character that the database cannot store is 400, never 500', async () => {
    await server.resetLimits();
    assert.equal((await server.get('/v1/organizations?cursor=%00', key)).status, 400);
  });

  test('org_id in the query is accepted and ignored for keys that ignore it, and refused where it means nothing', async () => {
    await server.resetLimits();
    assert.equal((await server.get('/v1/organizations?org_id=3001', key)).status, 200);
    assert.equal((await server.get('/v1/me?org_id=3001', instanceKey)).status, 200);
    assert.equal((await server.get('/v1/organizations?org_id=1001', workspaceKey)).status, 400);
  });

  test('an org_id that is ignored may be any text, and one that is used is checked', async () => {
    await server.resetLimits();
    for (const text of ['', 'x'.repeat(256), 'ALL']) {
      for (const [kind, value] of Object.entries({ key, instanceKey }))
        assert.equal((await server.get(`/v1/me?org_id=${text}`, value)).status, 200, `${kind}: ${text}`);
    }
    for (const text of ['', 'x'.repeat(256)])
      assert.equal((await server.get(`/v1/users?org_id=${text}`, workspaceKey)).status, 400, text);
    const post = (body: object, by: string) => server.call('POST', '/v1/learnings', { key: by, body });
    const data = [{ repository_id: '501', learning: 'Ignore what is not meant' }];
    assert.equal((await post({ data, org_id: '' }, key)).status, 200);
    assert.equal((await post({ data, org_id: '' }, workspaceKey)).status, 400);
    assert.equal((await post({ data, org_id: 5 }, key)).status, 400, 'it is a text in the API description');
  });

  test('an ignored org_id need not be the same in the query and the body of a PUT', async () => {
    await server.resetLimits();
    const put = (by: string) =>
      server.call('PUT', '/v1/reviews/rules?org_id=1', { key: by, body: { org_id: '2', color: 'red' } });
    assert.doesNotMatch((await put(key)).json.error.message, /org_id/);
    assert.match((await put(workspaceKey)).json.error.message, /org_id: the query and the body/);
  });

  test('organization_ids from any key but an instance key is 400', async () => {
    for (const other of [key, workspaceKey]) {
      const answer = await server.get('/v1/me?organization_ids=1001', other);
      assert.equal(answer.status, 400);
      assert.match(answer.json.error.message, /instance keys/);
    }
  });

  test('a path parameter that is not a UUID is 400, an unknown or foreign one 404', async () => {
    await server.resetLimits();
    assert.equal((await server.get('/v1/organizations/1001/repositories', key)).status, 400);
    assert.equal((await server.get(`/v1/organizations/${'a'.repeat(3000)}/repositories`, key)).status, 400);
    const [foreign] = await server.database
      .sql`SELECT id FROM organizations WHERE provider_organization_id = '3001'`;
    for (const id of [foreign!.id, '00000000-0000-4000-8000-000000000000']) {
      const answer = await server.get(`/v1/organizations/${id}/repositories`, key);
      assert.deepEqual([answer.status, answer.json.error.code], [404, 'NOT_FOUND']);
    }
  });
});

describe('bodies', () => {
  const put = (body: string | Buffer, headers: Record<string, string> = {}) =>
    server.call('PUT', '/operator/v1/platform', { body, headers: { ...operator, ...headers } });

  test('broken JSON, wrong UTF-8, an empty body and absurd nesting are 400', async () => {
    for (const body of [
      '{',
      '',
      'null',
      '[]',
      '"x"',
      '{"workspaces":[}',
      `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      Buffer.from([0x22, 0xff, 0x22]),
    ]) {
      const answer = await put(body);
      assert.deepEqual(
        [answer.status, answer.json.error.code],
        [400, 'INVALID_REQUEST'],
        String(body).slice(0, 20),
      );
    }
  });

  test('another content type, or a compressed body, is 415', async () => {
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': '' },
      { 'content-type': 'nonsense' },
      { 'content-encoding': 'gzip' },
    ]) {
      const answer = await put('{}', headers as Record<string, string>);
      assert.deepEqual(
        [answer.status, answer.json.error.code],
        [415, 'UNSUPPORTED_MEDIA_TYPE'],
        JSON.stringify(headers),
      );
    }
    assert.equal((await put('{}', { 'content-type': 'Application/JSON; charset=utf-8' })).status, 200);
  });

  test('a body over 1 MiB is 413, with or without a content length', async () => {
    const body = JSON.stringify({ kind: 'user', name: 'x'.repeat(1024 * 1024) });
    const answer = await server.call('POST', '/operator/v1/keys', { body, headers: operator });
    assert.deepEqual([answer.status, answer.json.error.code], [413, 'PAYLOAD_TOO_LARGE']);
  });

  test('a huge list of invalid elements immediately gets a short response', async () => {
    const user_ids = Array.from({ length: 400_000 }, () => 1);
    const roles = await server.call('POST', '/v1/users/roles', {
      key,
      body: { role: 'cr_member', user_ids },
    });
    assert.deepEqual([roles.status, roles.json.error.code], [400, 'BATCH_SIZE_EXCEEDED']);
    const platform = await put(JSON.stringify({ workspaces: user_ids }));
    assert.deepEqual([platform.status, platform.json.error.code], [400, 'INVALID_REQUEST']);
    assert.ok(platform.text.length < 20_000);
    assert.match(platform.json.error.message, /and 399900 more faults/);
  });

  test('a caller still sending a rejected body gets the reason, and the connection stays usable', async () => {
    const { port } = server.app.server.server.address() as { port: number };
    for (const body of [Buffer.alloc(9 * 1024 * 1024, 0x20), Buffer.alloc(30 * 1024 * 1024, 0x20)]) {
      const address = `http://127.0.0.1:${port}/operator/v1/keys`;
      const answer = await fetch(address, {
        method: 'POST',
        body,
        headers: { ...operator, 'content-type': 'application/json' },
      });
      assert.deepEqual(
        [answer.status, ((await answer.json()) as { error: { code: string } }).error.code],
        [413, 'PAYLOAD_TOO_LARGE'],
      );
      const refused = await fetch(address, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      assert.equal(refused.status, 401);
      await refused.text();
    }
  });

  test('text that PostgreSQL cannot store is 400 with its path', async () => {
    for (const name of ['a\0b', '\ud800']) {
      const answer = await put(JSON.stringify({ workspaces: [{ slug: 'a', name }] }));
      assert.equal(answer.status, 400);
      assert.match(answer.json.error.message, /workspaces\[0\]\.name/);
    }
  });
});

describe('the order of checks', () => {
  test('a missing key is reported before an invalid query, body or content type', async () => {
    assert.equal((await server.get('/v1/organizations?colour=red')).status, 401);
    assert.equal(
      (
        await server.call('PUT', '/operator/v1/platform', {
          body: '{',
          headers: { 'content-type': 'nonsense' },
        })
      ).status,
      401,
    );
  });

  test('the kind of key is checked before the rate limit and the query', async () => {
    const legacy = await server.createKey(sampleKeys.legacy);
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const answer = await server.get('/v1/organizations?colour=red', legacy);
      assert.deepEqual([answer.status, answer.headers['x-ratelimit-limit']], [410, undefined]);
    }
  });

  test('a request is charged once it passed the key checks, whatever its outcome', async () => {
    await server.resetLimits();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const answer = await server.get('/v1/organizations?colour=red', workspaceKey);
      assert.deepEqual([answer.status, answer.headers['x-ratelimit-remaining']], [400, String(9 - attempt)]);
    }
    const answer = await server.get('/v1/organizations', workspaceKey);
    assert.deepEqual([answer.status, answer.json.error.code], [429, 'RATE_LIMIT_EXCEEDED']);
    assert.ok(Number(answer.headers['retry-after']) >= 1 && Number(answer.headers['retry-after']) <= 60);
    assert.match(String(answer.headers['x-ratelimit-reset']), /^\d{10}$/);
  });
});

test("an alias of the key header is accepted in addition to the contract's own", async () => {
  assert.equal((await server.call('GET', '/v1/me', { headers: { 'x-other-api-key': key } })).status, 200);
  assert.equal((await server.call('GET', '/v1/me', { headers: { 'x-third-api-key': key } })).status, 401);
});

test('no key, token or query text reaches the log', async () => {
  const unknown = newKeyValue('user');
  await server.get('/v1/me', key);
  await server.get('/v1/me', unknown);
  await server.get('/v1/organizations?search=very-secret-text', key);
  await server.call('PUT', '/operator/v1/platform', { body: '{', headers: operator });
  const log = server.logLines.join('');
  assert.ok(server.logLines.length > 4);
  for (const secret of [key, unknown, 'very-secret-text', 'operator-token-of-the-tests', key.slice(6, 30)]) {
    assert.ok(!log.includes(secret), secret.slice(0, 8));
  }
});

test('health, readiness, metrics and the API description respond', async () => {
  assert.deepEqual((await server.get('/health')).json, { status: 'ok' });
  assert.deepEqual((await server.get('/ready')).json, { status: 'ready' });
  const numbers = await server.operator('GET', '/metrics');
  assert.match(
    numbers.text,
    /postil_http_request_duration_seconds_count\{method="GET",route="\/health",status="200"\} 1/,
  );
  assert.equal((await server.get('/openapi.json')).json.openapi, '3.1.0');
  const page = await server.get('/docs');
  assert.match(page.text, /swagger-ui-bundle\.js/);
  assert.doesNotMatch(page.text, /https?:\/\//);
  assert.match(String(page.headers['content-security-policy']), /default-src 'self'/);
  assert.equal((await server.get('/docs/assets/swagger-ui.css')).status, 200);
});

test('the API description has the version of the interface, and says which release serves it', async () => {
  const { info } = (await server.get('/openapi.json')).json;
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  assert.equal(info.version, '1.0.0');
  assert.equal(info['x-postil-version'], version);
  assert.ok(info.description.includes(`served by Postil ${version}.`));
});

test('the API description says for each endpoint who sends org_id where', async () => {
  const { paths } = (await server.get('/openapi.json')).json;
  const inQuery = (method: string, path: string): string | undefined =>
    paths[path][method].parameters.find(({ name }: { name: string }) => name === 'org_id')?.description;
  const inBody = (method: string, path: string): string =>
    paths[path][method].requestBody.content['application/json'].schema.properties.org_id.description;
  const id = 'Git provider organization id: ';
  const others = 'ignored for the other kinds of key';
  assert.equal(inQuery('get', '/v1/organizations'), `${id}not accepted from a workspace token; ${others}`);
  assert.equal(inQuery('get', '/v1/users'), `${id}selects one organization for a workspace token; ${others}`);
  assert.equal(inQuery('get', '/v1/roles'), `${id}required for a workspace token; ${others}`);
  assert.equal(inQuery('post', '/v1/learnings'), `${id}must be in the body for a workspace token; ${others}`);
  assert.equal(inBody('post', '/v1/learnings'), `${id}required for a workspace token; ${others}`);
  assert.equal(inQuery('post', '/v1/users/seats/assignment'), `${id}ignored`);
  assert.equal(
    inBody('post', '/v1/users/roles'),
    `${id}required for a workspace token; for an instance key one organization, or ALL, which is not accepted from the other kinds; ${others}`,
  );
  assert.match(
    inQuery('put', '/v1/settings/reviews')!,
    /for a workspace token, in the query or in the body;/,
  );
  assert.equal(inQuery('put', '/v1/settings/mcp-servers'), `${id}required for a workspace token; ${others}`);
  assert.equal(inQuery('get', '/scim/v2/{workspace}/Users'), undefined, 'never accepted');
});
