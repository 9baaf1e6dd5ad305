import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { startTestApp } from './harness.ts';
import { openConnection, sendRaw } from './raw-http.ts';
import { sampleKeys, samplePlatform } from './sample-platform.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const key = await server.createKey(sampleKeys.organization);
const otherKey = await server.createKey({ ...sampleKeys.organization, org_id: '3001' });

const get = (path: string, ...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\n${['host: a', ...headers].map((line) => `${line}\r\n`).join('')}\r\n`;
const last = (path: string, ...headers: string[]) => get(path, 'connection: close', ...headers);
const withKey = `x-service-api-key: ${key}`;
/** A key of an organization whose rate limit no test exhausts. */
const withOtherKey = `x-service-api-key: ${otherKey}`;

/** Runs work while every request with a key is blocked by a database lock. */
function whileKeysWait<T>(work: () => Promise<T>): Promise<T> {
  return server.database.transaction(async (tx) => {
    await tx`LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`;
    return work();
  });
}

describe('requests sent without waiting for the responses', () => {
  test('are all answered, in order', async () => {
    const paths = Array.from({ length: 500 }, (_, index) => (index % 3 === 0 ? '/health' : '/nothing'));
    const answers = await sendRaw(server, paths.map((path) => get(path)).join('') + last('/health'));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...paths.map((path) => (path === '/health' ? 200 : 404)), 200],
    );
    assert.equal(new Set(answers.map(({ headers }) => headers['x-request-id'])).size, 501);
  });

  test('are handled one at a time: each starts when the previous one is answered', async () => {
    const { all, maxRunning } = await whileKeysWait(async () => {
      const all = sendRaw(server, get('/v1/me', withKey).repeat(30) + last('/v1/me', withKey));
      let maxRunning = 0;
      for (let tries = 0; tries < 20; tries += maxRunning > 0 ? 1 : 0) {
        await sleep(20);
        const [row] = await server.database.sql<{ waiting: number }[]>`
          SELECT count(*)::int AS waiting FROM pg_locks l JOIN pg_stat_activity a USING (pid)
          WHERE NOT l.granted AND a.datname = current_database()`;
        maxRunning = Math.max(maxRunning, row!.waiting);
      }
      return { all, maxRunning };
    });
    assert.equal(maxRunning, 1);
    assert.equal((await all).length, 31);
  });

  test('let the requests of other connections in between', async () => {
    const [many, one] = await Promise.all([openConnection(server), openConnection(server)]);
    const answered: string[] = [];
    const note = (request: IncomingMessage, response: ServerResponse) =>
      response.once('finish', () => answered.push(request.url ?? ''));
    server.app.server.server.on('request', note);
    many.socket.write(get('/nothing').repeat(999) + last('/nothing'));
    one.socket.write(last('/health'));
    await Promise.all([many.answers(), one.answers()]);
    server.app.server.server.off('request', note);
    assert.equal(answered.length, 1_001);
    const position = answered.indexOf('/health');
    assert.ok(position < 500, `${position} requests that were sent at once went before`);
  });

  test('are not even read while many wait', async () => {
    const connection = await openConnection(server);
    const seen = await whileKeysWait(async () => {
      let requests = 0;
      const count = () => {
        requests += 1;
      };
      server.app.server.server.on('request', count);
      connection.socket.write(get('/v1/me', withKey).repeat(150_000));
      while (requests <= 100) await sleep(20);
      await sleep(1_000);
      server.app.server.server.off('request', count);
      return requests;
    });
    connection.socket.destroy();
    assert.ok(seen < 2_000, `${seen} of 150000`);
    assert.equal((await server.get('/health')).status, 200);
  });

  test('from many clients at once do not pile up without bound: connections with too many are closed', async () => {
    const connections = await Promise.all(Array.from({ length: 150 }, () => openConnection(server)));
    await whileKeysWait(async () => {
      for (const { socket } of connections) socket.write(get('/v1/me', withKey).repeat(200));
      while (!connections.some(({ socket }) => socket.closed)) await sleep(50);
    });
    const ended = connections.filter(({ socket }) => socket.closed).length;
    for (const { socket } of connections) socket.destroy();
    assert.ok(ended < 150, `${ended} of 150`);
    assert.equal((await server.get('/health')).status, 200);
  });

  test('are not started once the connection has ended', async () => {
    const connection = await openConnection(server);
    connection.socket.write(get('/v1/me', withOtherKey, 'connection: close') + get('/health').repeat(5));
    const answers = await connection.answers();
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200],
    );
  });

  test('a body belongs to its request, whatever is queued before and after it', async () => {
    const post = (body: string) =>
      `POST /v1/learnings/search HTTP/1.1\r\nhost: a\r\n${withOtherKey}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const body = JSON.stringify({ repository_id: '501', query: 'x'.repeat(500) });
    const answers = await sendRaw(
      server,
      get('/health') + post(body) + get('/nothing') + post('{') + last('/health'),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 404, 400, 200],
    );
  });
});

test('the rest of a refused body is read in small chunks, so that other requests are not blocked', async () => {
  const received = once(server.app.server.server, 'connection') as Promise<[Socket]>;
  const { socket } = await openConnection(server);
  const [serving] = await received;
  const length = 25 * 1024 * 1024;
  const head = `POST /hooks/00000000-0000-7000-8000-000000000000 HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(length)]));
  let most = 0;
  for (let before = 0; serving.bytesRead < length; before = serving.bytesRead) {
    await nextTurn();
    most = Math.max(most, serving.bytesRead - before);
  }
  socket.destroy();
  assert.ok(most <= 256 * 1024, `${most} bytes in one turn`);
});

describe('requests that cannot be parsed', () => {
  test('are answered after the valid ones before them', async () => {
    const answers = await sendRaw(server, `${get('/v1/me', withOtherKey)}${get('/health')}NONSENSE\r\n\r\n`);
    assert.deepEqual(
      answers.map(({ status, json }) => [status, json.error?.code]),
      [
        [200, undefined],
        [200, undefined],
        [400, 'INVALID_REQUEST'],
      ],
    );
  });

  test('because of their body are answered once by the endpoint, and the connection ends', async () => {
    for (const before of ['', get('/health')]) {
      const answers = await sendRaw(
        server,
        `${before}POST /v1/learnings/search HTTP/1.1\r\nhost: a\r\n${withOtherKey}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n` +
          '5\r\n{"rep\r\nnonsense\r\n',
      );
      const refused = answers.at(-1)!;
      assert.equal(answers.length, before === '' ? 1 : 2);
      assert.deepEqual([refused.status, refused.json.errors[0].code], [400, 'INVALID_REQUEST']);
      assert.ok(refused.headers['x-request-id']);
    }
  });
});

describe('content that is the same for everyone', () => {
  for (const path of ['/openapi.json', '/docs/assets/swagger-ui.css', '/docs/assets/swagger-ui-bundle.js'])
    test(`${path} is compressed once, and not sent to clients that have it`, async () => {
      const plain = await server.get(path);
      const first = await server.app.server.inject({ url: path, headers: { 'accept-encoding': 'gzip' } });
      const second = await server.app.server.inject({ url: path, headers: { 'accept-encoding': 'gzip' } });
      assert.equal(first.headers['content-encoding'], 'gzip');
      assert.equal(first.headers['content-length'], String(first.rawPayload.length));
      assert.ok(first.rawPayload.equals(second.rawPayload));
      assert.equal(gunzipSync(first.rawPayload).toString(), plain.text);
      assert.equal(first.headers.vary, 'accept-encoding');
      const { etag } = plain.headers;
      const known = await server.call('GET', path, { headers: { 'if-none-match': `"other", ${etag}` } });
      assert.deepEqual([known.status, known.text], [304, '']);
      const refused = await server.call('GET', path, { headers: { 'accept-encoding': 'gzip;q=0, br' } });
      assert.equal(refused.headers['content-encoding'], undefined);
    });
});
