import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect as openSocket, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { connect, startDouble, until, untilSteady } from '../../../../test/hosts/connected-host.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';
import { GitHubDouble } from '../../../../test/hosts/github/github-double.ts';
import { GitLabDouble } from '../../../../test/hosts/gitlab/gitlab-double.ts';
import { portOf } from '../../../../test/late-caller.ts';

const app = await startTestApp();
const limited = { timeout: 600_000 };
const doubles = {
  gitea: await startDouble(new GiteaDouble()),
  github: await startDouble(new GitHubDouble()),
  gitlab: await startDouble(new GitLabDouble()),
};
const connections: Record<string, { readonly id: string; readonly webhook: { readonly secret: string } }> =
  {};
for (const [provider, double] of Object.entries(doubles)) {
  fillForge(double as GiteaDouble);
  const request = { provider, url: double.url, credentials: { token: hostToken }, organizations: ['acme'] };
  connections[provider] = await connect(app, request);
}
const gitea = connections.gitea!;

const mebibyte = 1024 * 1024;
const port = await portOf(app);
const received = new Set<Socket>();
app.app.server.server.on('connection', (socket: Socket) => received.add(socket));
const bytesReceived = () => [...received].reduce((sum, { bytesRead }) => sum + bytesRead, 0);

const opened: Socket[] = [];
after(() => {
  for (const socket of opened) socket.destroy();
});

/** Begins a delivery from an address of its own, and sends so much of its body as the server takes, but for the last byte. */
function begin(path: string, headers: Record<string, string>, length: number, address = '127.0.0.1') {
  const socket = openSocket({ host: '127.0.0.1', port, localAddress: address });
  opened.push(socket);
  let answer = '';
  socket.on('error', () => {});
  socket.on('data', (data) => {
    answer += data;
  });
  const lines = Object.entries({ host: 'x', 'content-length': length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const part = Buffer.alloc(64 * 1024, ' ');
  let left = length - 1;
  const send = () => {
    while (left > 0 && !socket.destroyed) {
      const next = part.subarray(0, Math.min(part.length, left));
      left -= next.length;
      if (!socket.write(next)) return void socket.once('drain', send);
    }
  };
  send();
  return {
    socket,
    status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0),
    answer: () => answer,
  };
}

const forged = { 'x-gitea-event': 'push', 'x-gitea-signature': 'ab'.repeat(32) };

/** A genuine delivery of this size. */
async function deliver(bytes: number): Promise<number> {
  const body = Buffer.alloc(bytes, ' ');
  const headers = {
    'x-gitea-event': 'push',
    'x-gitea-delivery': randomUUID(),
    'x-gitea-signature': createHmac('sha256', gitea.webhook.secret).update(body).digest('hex'),
  };
  const call = begin(`/hooks/${gitea.id}`, headers, bytes, '127.0.0.99');
  call.socket.write(' ');
  await until(() => call.status() !== 0);
  call.socket.destroy();
  return call.status();
}

test(
  'a delivery without a signature or to an unknown connection is refused before its body arrives',
  limited,
  async () => {
    const unknown = '/hooks/00000000-0000-7000-8000-000000000000';
    const to = (provider: string) => `/hooks/${connections[provider]!.id}`;
    const digest = 'ab'.repeat(32);
    for (const [path, headers, status] of [
      [unknown, { 'x-gitea-signature': digest }, 404],
      [to('gitea'), {}, 401],
      [to('gitea'), { 'x-gitea-signature': digest.slice(1) }, 401],
      [to('github'), {}, 401],
      [to('github'), { 'x-hub-signature-256': digest }, 401],
      [to('gitlab'), {}, 401],
      [to('gitlab'), { 'x-gitlab-token': '' }, 401],
      [to('gitlab'), { 'webhook-signature': '' }, 401],
    ] as const) {
      const call = begin(path, headers as Record<string, string>, mebibyte);
      await until(() => call.status() !== 0);
      assert.equal(call.status(), status, `${path} ${JSON.stringify(headers)}`);
      call.socket.destroy();
    }
  },
);

test('unsigned bodies have bounded memory, whose holders keep out nobody who has less', limited, async () => {
  const before = bytesReceived();
  const path = `/hooks/${gitea.id}`;
  const calls = Array.from({ length: 12 }, (_, index) => `127.0.0.${index + 2}`).flatMap((address) =>
    [1, 2].map(() => begin(path, forged, 25 * mebibyte, address)),
  );
  await until(() => bytesReceived() - before > 48 * mebibyte);
  await untilSteady(bytesReceived);
  const taken = (bytesReceived() - before) / mebibyte;
  assert.ok(taken < 72, `${taken} of 600 MiB were read`);
  assert.equal(calls.filter((call) => call.status() !== 0).length, 0, 'the others wait');

  assert.equal(await deliver(2 * mebibyte), 202, 'there is room for it');
  assert.equal(await deliver(20 * mebibyte), 202, 'one with more gives way');
  const refused = calls.filter((call) => call.status() !== 0);
  assert.deepEqual(
    refused.map((call) => call.status()),
    [503],
  );
  assert.match(refused[0]!.answer(), /\r\nretry-after: 10\r\n/i);

  const closed = calls.map(({ socket }) => once(socket, 'close'));
  for (const { socket } of calls) socket.destroy();
  await Promise.all(closed);
  assert.equal(await deliver(25 * mebibyte), 202, 'everything is given back');
});
