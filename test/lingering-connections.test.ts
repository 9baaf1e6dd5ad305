import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startTestApp } from './harness.ts';

const server = await startTestApp();
const http = server.app.server.server;
await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const { port } = http.address() as { port: number };
const countConnections = promisify(http.getConnections.bind(http));

const requests = {
  'is not HTTP': 'NONSENSE\r\n\r\n',
  'is the last one': 'GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  // Without `connection: close`, the connection would be kept alive for more than a minute.
  'has a head that is too long': `GET /health HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(40_000)}\r\nconnection: close\r\n\r\n`,
  'has a head of which not even the end is read': `GET /health HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(60_000)}\r\n\r\n`,
  'breaks off in its body':
    'POST /v1/learnings HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nno number\r\n',
};

/** The client ports of the server's open connections. */
const connected = new Set<number>();
http.on('connection', (socket) => {
  const remotePort = socket.remotePort!;
  connected.add(remotePort);
  socket.once('close', () => connected.delete(remotePort));
});

// Concurrently, because each of them waits for some seconds.
describe('a client that keeps its connection open keeps no file descriptor of ours', {
  concurrency: true,
}, () => {
  for (const [what, request] of Object.entries(requests))
    test(`after a request that ${what}`, async () => {
      const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
      let answer = '';
      client.on('data', (data) => {
        answer += data;
      });
      client.write(request);
      await once(client, 'connect');
      const ownPort = client.localPort!;
      await Promise.race([once(client, 'end'), once(client, 'close')]);
      assert.match(answer, /^HTTP\/1\.1 \d/);
      for (let attempt = 0; attempt < 240 && connected.has(ownPort); attempt += 1) await sleep(500);
      assert.equal(connected.has(ownPort), false);
      client.destroy();
    });
});

test('nor does one whose connection is kept alive after a rejected request, without another request', async () => {
  assert.equal(http.keepAliveTimeout, 72_000);
  http.keepAliveTimeout = 100;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
  client.resume().write(`GET /health HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`);
  await once(client, 'end');
  http.keepAliveTimeout = 72_000;
  for (let attempt = 0; attempt < 240 && (await countConnections()) > 0; attempt += 1) await sleep(500);
  assert.equal(await countConnections(), 0);
  client.destroy();
});

test('a client that is still sending when it is refused gets to read the response: nothing is reset', async () => {
  const length = 20 * 1024 * 1024;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const failures: Error[] = [];
  client.on('error', (error) => failures.push(error));
  const closed = once(client, 'close');
  client.write(
    `POST /dashboard/v1/sign-in HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-postil-dashboard: 1\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${' '.repeat(length / 4)}`,
  );
  let answer = '';
  client.on('data', (data) => {
    answer += data;
  });
  await Promise.race([once(client, 'end'), closed]);
  for (let part = 0; part < 12; part += 1) {
    client.write(' '.repeat(length / 16));
    await sleep(20);
  }
  client.end();
  await closed;
  assert.deepEqual(failures, []);
  assert.match(answer, /^HTTP\/1\.1 413 /);
});

test('data after the last request of a connection is not answered, however long the body before it', async () => {
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
  let answer = '';
  client.on('data', (data) => {
    answer += data;
  });
  const refused = 'POST /nothing HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 200000\r\n\r\n';
  client.write(refused + ' '.repeat(100_000));
  await once(client, 'end');
  client.end(`${' '.repeat(100_000)}GET /health HTTP/1.1\r\nhost: x\r\n\r\n`);
  await once(client, 'close');
  assert.deepEqual(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 404']);
});
