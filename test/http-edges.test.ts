import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { type Answer, operatorToken, startTestApp } from './harness.ts';
import { sendRaw } from './raw-http.ts';
import { sampleKeys, samplePlatform } from './sample-platform.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const key = await server.createKey(sampleKeys.organization);
beforeEach(() => server.resetLimits());

/** Sends one request over a real connection, with exactly these header lines. */
async function raw(request: string, ...lines: string[]): Promise<Answer> {
  const answers = await sendRaw(server, `${[request, 'connection: close', ...lines].join('\r\n')}\r\n\r\n`);
  assert.equal(answers.length, 1, 'one answer');
  const [answer] = answers;
  assert.ok(answer!.headers['x-request-id'], 'every answer has a request id');
  assert.match(answer!.headers['content-security-policy'] ?? '', /default-src/);
  return answer!;
}

const host = 'host: postil.test';
const withKey = `x-service-api-key: ${key}`;

function codeIn({ json }: Answer, shape: 'error' | 'errors'): string {
  assert.deepEqual(Object.keys(json), [shape]);
  return shape === 'errors' ? json.errors[0].code : json.error.code;
}

describe('an id of any length in the path is handled like every other id', () => {
  const long = 'a'.repeat(6_000);
  const paths = [
    ['GET', `/v1/organizations/${long}/repositories`, 'error', 'GET'],
    ['GET', `/v1/roles/${long}`, 'error', 'GET, PATCH, DELETE'],
    ['DELETE', `/v1/roles/${long}`, 'error', 'GET, PATCH, DELETE'],
    ['DELETE', `/v1/learnings/${long}`, 'errors', 'PATCH, DELETE'],
    ['PATCH', `/v1/learnings/${long}`, 'errors', 'PATCH, DELETE'],
  ] as const;
  for (const [method, path, shape, allowed] of paths) {
    test(`${method} ${path.replace(long, '…')}`, async () => {
      const body = method === 'PATCH' ? { learning: 'text' } : undefined;
      const without = await server.call(method, path, { body });
      assert.deepEqual([without.status, codeIn(without, shape)], [401, 'UNAUTHORIZED']);
      const answer = await server.call(method, path, { key, body });
      assert.ok([400, 404].includes(answer.status), `${answer.status}`);
      codeIn(answer, shape);
      const other = await server.call('PUT', path, { key });
      assert.deepEqual([other.status, codeIn(other, shape)], [405, 'METHOD_NOT_ALLOWED']);
      assert.equal(other.headers.allow, allowed);
    });
  }

  test('one with a character that cannot be stored is invalid', async () => {
    const run = '00000000-0000-4000-8000-000000000000';
    for (const [method, path] of [
      ['GET', `/v1/reviews/${run}/findings/a%00b/signals`],
      ['PATCH', `/v1/reviews/${run}/findings/%00`],
      ['GET', '/v1/roles/%00'],
    ] as const) {
      const body = method === 'PATCH' ? { accepted: true } : undefined;
      const answer = await server.call(method, path, { key, body });
      assert.deepEqual([answer.status, codeIn(answer, 'error')], [400, 'INVALID_REQUEST'], answer.text);
      assert.match(answer.json.error.message, /the path contains an invalid character/);
    }
  });

  test('also one that cannot be decoded', async () => {
    for (const id of ['%E0%A4%A', '%', '%zz', '%ff']) {
      const path = `/v1/learnings/${id}`;
      assert.equal(codeIn(await server.call('DELETE', path), 'errors'), 'UNAUTHORIZED', id);
      assert.equal(codeIn(await server.call('DELETE', path, { key }), 'errors'), 'INVALID_REQUEST', id);
      assert.equal(codeIn(await server.call('PUT', path, { key }), 'errors'), 'METHOD_NOT_ALLOWED', id);
      assert.equal(codeIn(await server.get(`/v1/${id}`, key), 'error'), 'NOT_FOUND', id);
    }
  });
});

describe('methods', () => {
  test('one that the path does not have is 405, whatever its body is', async () => {
    for (const [method, path, shape] of [
      ['POST', '/v1/organizations', 'error'],
      ['PUT', '/v1/learnings', 'errors'],
      ['DELETE', '/v1/users/roles', 'error'],
      ['PUT', '/dashboard/v1/learnings', 'errors'],
    ] as const)
      for (const [body, headers] of [
        ['{', {}],
        ['{}', { 'content-type': 'text/nonsense' }],
        ['{}', { 'content-encoding': 'nonsense' }],
        ['x'.repeat(2 * 1024 * 1024), {}],
      ] as const) {
        const answer = await server.call(method, path, { key, body, headers });
        assert.deepEqual([answer.status, codeIn(answer, shape)], [405, 'METHOD_NOT_ALLOWED'], path);
      }
  });

  test('a fixed word in a path is never taken for an id: other methods are 405', async () => {
    const templates = Map.groupBy(server.app.endpoints, ({ path }) => path);
    const isId = (word: string) => word.startsWith('{');
    let collisions = 0;
    for (const [fixed, own] of templates)
      for (const [other, { length }] of templates) {
        const words = fixed.split('/').map((word, index) => [word, other.split('/')[index] ?? ''] as const);
        const first = words.find(([one, two]) => isId(one) !== isId(two));
        const overlaps = words.every(([one, two]) => one === two || isId(one) || isId(two));
        if (fixed.split('/').length !== other.split('/').length || !overlaps || !first || isId(first[0]))
          continue;
        collisions += length;
        const path = words.map(([one, two]) => (!isId(one) ? one : isId(two) ? 'x' : two)).join('/');
        const methods = [...new Set(own.map(({ method }) => method))];
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
          if (methods.includes(method)) continue;
          const answer = await server.call(method, path, { key });
          assert.deepEqual(
            [answer.status, answer.headers.allow],
            [405, methods.join(', ')],
            `${method} ${path}, not ${other}`,
          );
        }
      }
    assert.ok(collisions > 5, String(collisions));
    const rule = await server.call('GET', '/v1/reviews/coverage', { key });
    assert.equal(codeIn(rule, 'error'), 'METHOD_NOT_ALLOWED');
    const run = await server.get('/v1/reviews/00000000-0000-4000-8000-000000000000', key);
    assert.equal(run.status, 404, 'an id is one');
  });

  test('an unknown path is 404, whatever its body is', async () => {
    const answer = await server.call('POST', '/v1/nothing', { key, body: '{' });
    assert.deepEqual([answer.status, codeIn(answer, 'error')], [404, 'NOT_FOUND']);
  });

  test('OPTIONS and unusual methods are 405 with Allow, HEAD is GET without the body', async () => {
    for (const method of ['OPTIONS', 'TRACE', 'PROPFIND']) {
      const answer = await raw(`${method} /v1/organizations HTTP/1.1`, host, withKey);
      assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET'], method);
    }
    for (const [path, status] of [
      ['/v1/me', 200],
      ['/v1/users/roles', 405],
    ] as const) {
      const head = await server.app.server.inject({
        method: 'HEAD',
        url: path,
        headers: { 'x-service-api-key': key },
      });
      assert.deepEqual([head.statusCode, head.body], [status, '']);
    }
  });

  test('CONNECT is refused with an answer', async () => {
    const answer = await raw('CONNECT postil.test:80 HTTP/1.1', host);
    assert.deepEqual([answer.status, codeIn(answer, 'error')], [400, 'INVALID_REQUEST']);
  });
});

describe('requirements of HTTP on the head of a request', () => {
  test('exactly one Host header', async () => {
    for (const [path, shape] of [
      ['/v1/me', 'error'],
      ['/v1/learnings', 'errors'],
    ] as const) {
      for (const lines of [[], [host, 'host: other.test']]) {
        const answer = await raw(`GET ${path} HTTP/1.1`, withKey, ...lines);
        assert.deepEqual([answer.status, codeIn(answer, shape)], [400, 'INVALID_REQUEST']);
        assert.match(answer.text, /Host/);
      }
    }
    assert.equal((await raw('GET /v1/me HTTP/1.0', withKey)).status, 200);
  });

  test('no expectation but 100-continue', async () => {
    const answer = await raw('GET /v1/learnings HTTP/1.1', host, withKey, 'expect: x');
    assert.deepEqual([answer.status, codeIn(answer, 'errors')], [417, 'INVALID_REQUEST']);
    const body = '{"repository_id":"501","query":"x"}';
    const [continued, done] = await sendRaw(
      server,
      `POST /v1/learnings/search HTTP/1.1\r\n${host}\r\n${withKey}\r\nexpect: 100-continue\r\nconnection: close\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    assert.deepEqual([continued!.status, done!.status], [100, 200]);
  });

  test('no more than 16 KiB, rejected in the format of the endpoint', async () => {
    for (const bytes of [17_000, 40_000, 60_000, 200_000])
      for (const [path, shape] of [
        ['/v1/me', 'error'],
        ['/v1/learnings', 'errors'],
        ['/v1/learnings/00000000-0000-4000-8000-000000000000', 'errors'],
      ] as const) {
        const answer = await raw(`GET ${path} HTTP/1.1`, host, `x-filler: ${'a'.repeat(bytes)}`);
        assert.deepEqual([answer.status, codeIn(answer, shape)], [431, 'INVALID_REQUEST'], `${bytes}`);
      }
    for (const bytes of [17_000, 60_000]) {
      const answer = await raw('GET /scim/v2/acme/Users HTTP/1.1', host, `x-filler: ${'a'.repeat(bytes)}`);
      assert.deepEqual([answer.status, JSON.parse(answer.text).status], [431, '431'], `${bytes}`);
      assert.equal(answer.headers['content-type'], 'application/scim+json; charset=utf-8');
    }
    const long = await raw(`GET /v1/learnings?search=${'a'.repeat(20_000)} HTTP/1.1`, host);
    assert.deepEqual([long.status, codeIn(long, 'errors')], [431, 'INVALID_REQUEST']);
  });

  test('well-formed headers; a rejection has the format of the endpoint', async () => {
    for (const line of ['no colon', 'content-length: 1\r\ncontent-length: 2', 'content-length: -1']) {
      const answer = await raw('POST /v1/learnings HTTP/1.1', host, line);
      assert.deepEqual([answer.status, codeIn(answer, 'errors')], [400, 'INVALID_REQUEST'], line);
      assert.equal(codeIn(await raw('POST /v1/roles HTTP/1.1', host, line), 'error'), 'INVALID_REQUEST');
    }
  });

  test('a key that is given twice is ignored', async () => {
    assert.equal((await raw('GET /v1/me HTTP/1.1', host, withKey, withKey)).status, 401);
  });
});

describe('addresses', () => {
  test('with scheme and host, as proxies send them, mean the same', async () => {
    for (const origin of ['http://postil.test', 'HTTPS://postil.test:8443']) {
      assert.equal((await raw(`GET ${origin}/v1/me HTTP/1.1`, host, withKey)).status, 200);
      assert.equal((await raw(`GET ${origin}/v1/me?colour=red HTTP/1.1`, host, withKey)).status, 400);
      assert.equal((await raw(`DELETE ${origin}/v1/me HTTP/1.1`, host, withKey)).status, 405);
      assert.equal((await raw(`GET ${origin}/v1/nothing HTTP/1.1`, host, withKey)).status, 404);
      assert.notEqual((await raw(`GET ${origin} HTTP/1.1`, host)).status, 404);
    }
  });

  test('with characters written as escapes mean the same, for every method', async () => {
    assert.equal((await server.get('/v1/%6De', key)).status, 200);
    assert.equal((await server.call('DELETE', '/v1/%6De', { key })).status, 405);
  });

  test('with an extra slash, another case or dots are different', async () => {
    for (const path of ['/v1/me/', '//v1/me', '/V1/me', '/v1/ME', '/v1//me', '/v1/%2e/me', '/v1%2Fme', '*'])
      assert.equal((await raw(`GET ${path} HTTP/1.1`, host, withKey)).status, 404, path);
  });
});

test('no cache stores a response of the API, whatever it contains', async () => {
  for (const answer of [
    await server.get('/v1/me', key),
    await server.get('/v1/me'),
    await server.get('/v1/me?colour=red', key),
    await server.get('/v1/nothing', key),
    await server.call('PUT', '/v1/me', { key }),
    await server.get('/v1/learnings?format=csv', key),
    await server.operator('GET', '/operator/v1/keys'),
    await server.get('/operator/v1/keys'),
    await server.get('/dashboard/v1/session'),
    await server.get('/v1/learnings/%E0%A4%A', key),
    await raw('GET /v1/me HTTP/1.1', withKey),
    await raw('NONSENSE'),
  ])
    assert.equal(answer.headers['cache-control'], 'no-store', `${answer.status} ${answer.text.slice(0, 80)}`);
  assert.equal((await server.get('/openapi.json')).headers['cache-control'], 'no-cache');
});

test('the API description types bodies of one JSON value as objects, and lines and tables as text', async () => {
  const { paths } = (await server.get('/openapi.json')).json;
  const contentOf = (path: string) => paths[path].get.responses['200'].content;
  const findings = contentOf('/v1/security/scans/code');
  assert.equal(findings['application/sarif+json'].schema.type, 'object');
  assert.equal(findings['text/csv'].schema.type, 'string');
  assert.equal(contentOf('/operator/v1/audit/entries')['application/x-ndjson'].schema.type, 'string');
});

test('a rejected request over a real connection can be found in the log by its id', async () => {
  const answer = await raw('NONSENSE');
  assert.ok(server.logLines.some((line) => line.includes(answer.headers['x-request-id']!)));
  assert.ok(!server.logLines.join('').includes(operatorToken));
});
