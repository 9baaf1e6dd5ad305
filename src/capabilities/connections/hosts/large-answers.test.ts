import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { anyAddress } from '../../../outbound/address-guard.ts';
import { createOutbound } from '../../../outbound/outbound.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';
import { type Host, HostRefused, HostUnavailable } from './host.ts';
import { hostKind } from './host-providers.ts';

let answer: (path: string) => { status?: number; body: string | Buffer };
const server = http.createServer((request, response) => {
  const { status = 200, body } = answer(request.url!);
  response.writeHead(status, { 'content-type': 'application/json', 'x-total-count': '1' }).end(body);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const outbound = createOutbound(anyAddress);
after(async () => {
  await outbound.close();
  server.closeAllConnections();
  server.close();
});

const mib = 1024 * 1024;
const account = { id: 5, login: 'bot', username: 'bot', name: 'bot' };
const organization = { id: '5', name: 'acme' };
const isTooLarge = (error: unknown) => error instanceof OutboundError && error.fault === 'too_large';
const collect = (host: Host) => Array.fromAsync(host.listMembers(organization));

for (const provider of ['github', 'gitlab', 'gitea'] as const) {
  const connect = () => hostKind(provider).connect({ url, credentials: { token: 'secret' }, outbound });

  test(`${provider}: an account or a clock comes with at most 64 KiB`, async () => {
    const host = await connect();
    answer = () => ({ body: JSON.stringify({ ...account, bio: 'x'.repeat(60 * 1024) }) });
    assert.equal((await host.describeAccount()).username, 'bot');
    await host.readClock();
    answer = () => ({ body: JSON.stringify({ ...account, bio: 'x'.repeat(64 * 1024) }) });
    await assert.rejects(host.describeAccount(), isTooLarge);
    await assert.rejects(host.readClock(), isTooLarge);
  });

  test(`${provider}: what is nested deeply or has very many entries is refused before it is parsed`, async () => {
    const host = await connect();
    const deep = ['[', '{"a":', '[{"b":['].map((part) => part.repeat((20 * mib) / part.length));
    const wide = ['[', '{"a":0'].map((start) => start + (start === '[' ? ',[]' : ',"b":{}').repeat(2 * mib));
    for (const body of [...deep, ...wide.map((text) => text + (text.startsWith('[') ? ']' : '}'))]) {
      answer = () => ({ body: body.replace('[,', '[0,') });
      await assert.rejects(collect(host), isTooLarge, body.slice(0, 10));
      await assert.rejects(host.readPullRequest({ id: '7', fullName: 'acme/api' }, 1, []), isTooLarge);
    }
  });

  test(`${provider}: a large page is read completely`, async () => {
    const host = await connect();
    const members = Array.from({ length: 90 }, (_, index) => ({
      ...account,
      id: index + 1,
      login: `m${index}`,
      username: `m${index}`,
      access_level: 10,
      state: 'active',
      text: 'ä"\\[{'.repeat(20_000),
    }));
    const body = JSON.stringify(members);
    assert.ok(body.length > 10 * mib);
    const seen = new Set<string>();
    answer = (path) => {
      const isFirst = path.includes('/members') && !seen.has(path) && !path.includes('role=member');
      seen.add(path);
      return { body: isFirst ? body : '[]' };
    };
    const names = new Set((await collect(host)).map(({ username }) => username));
    assert.deepEqual(names, new Set(members.map(({ username }) => username)));
  });

  test(`${provider}: a page that is not JSON is a fault of the host, however large it is`, async () => {
    const host = await connect();
    for (const size of [10, 2 * mib]) {
      answer = () => ({ body: `<html>${'x'.repeat(size)}` });
      await assert.rejects(collect(host), HostUnavailable);
    }
  });

  test(`${provider}: an error keeps its status and message, however long or deep its page is`, async () => {
    const host = await connect();
    answer = () => ({ status: 403, body: '{"message":"no such right"}' });
    await assert.rejects(host.describeAccount(), /answered 403: no such right/);
    for (const body of ['x'.repeat(3 * mib), '['.repeat(3 * mib), `{"message":"${'m'.repeat(3 * mib)}"}`]) {
      answer = () => ({ status: 401, body });
      await assert.rejects(
        host.describeAccount(),
        (error) => error instanceof HostRefused && error.status === 401 && error.message.length < 400,
      );
    }
  });
}
