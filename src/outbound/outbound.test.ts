import assert from 'node:assert/strict';
import http from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { anyAddress, publicAddresses } from './address-guard.ts';
import { createOutbound, type Resolver } from './outbound.ts';
import { OutboundError, type OutboundFault } from './outbound-error.ts';
import { outboundFetch } from './outbound-fetch.ts';
import { streamingFetch } from './streaming-fetch.ts';

const calls: http.IncomingMessage[] = [];
const server = http.createServer((request, response) => {
  calls.push(request);
  const { pathname, searchParams } = new URL(request.url!, 'http://x');
  if (pathname === '/silent') return;
  if (pathname === '/stalling') return void response.write('first part');
  if (pathname === '/endless') {
    const pour = () => {
      while (response.write(Buffer.alloc(64 * 1024)));
    };
    response.on('drain', pour);
    return pour();
  }
  if (pathname === '/redirect')
    return void response.writeHead(302, { location: searchParams.get('to')! }).end();
  if (pathname === '/loop') return void response.writeHead(302, { location: '/loop' }).end();
  response.writeHead(200, { 'x-seen': String(request.headers.authorization ?? '') }).end('hello');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const address = (path: string) => new URL(`http://127.0.0.1:${port}${path}`);

const outbound = createOutbound(anyAddress);
after(async () => {
  await outbound.close();
  server.closeAllConnections();
  server.close();
});

function faultOf(fault: OutboundFault) {
  return (error: unknown) => error instanceof OutboundError && error.fault === fault;
}

test('a response has its status, headers and body', async () => {
  const answer = await outbound.call({ method: 'GET', url: address('/'), headers: { authorization: 'a' } });
  assert.deepEqual([answer.status, answer.headers['x-seen'], answer.body.toString()], [200, 'a', 'hello']);
});

test('a call to a silent server times out', async () => {
  const call = outbound.call({ method: 'GET', url: address('/silent'), timeoutMs: 200 });
  await assert.rejects(call, faultOf('timeout'));
});

test('an endless response is cut off', async () => {
  const call = outbound.call({ method: 'GET', url: address('/endless'), maxAnswerBytes: 1024 * 1024 });
  await assert.rejects(call, faultOf('too_large'));
});

test('a caller that aborts ends the call', async () => {
  const giveUp = new AbortController();
  const call = outbound.call({ method: 'GET', url: address('/silent'), signal: giveUp.signal });
  giveUp.abort();
  await assert.rejects(call, faultOf('aborted'));
});

test('an unreachable server is reported with the host and the cause, without path or query', async () => {
  const call = outbound.call({ method: 'GET', url: new URL('http://127.0.0.1:1/secret-path?token=x') });
  await assert.rejects(call, (error: Error) => {
    assert.ok(faultOf('unreachable')(error));
    assert.equal(error.message, '127.0.0.1:1 cannot be reached (ECONNREFUSED)');
    return true;
  });
});

test('an internal address, as a number or behind a name, is rejected before anything is sent', async () => {
  const guarded = createOutbound(publicAddresses({ ranges: [], hosts: [] }));
  const before = calls.length;
  const literal = [
    '127.0.0.1',
    '127.0.0.1.',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '0.0.0.0',
  ];
  const numeric = [
    '0',
    '127.1',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '0x7f.1',
    '0x7f000001',
    '１２７.0.0.1',
  ];
  for (const host of [...literal, ...numeric, 'localhost'])
    await assert.rejects(
      guarded.call({ method: 'GET', url: new URL(`http://${host}:${port}/`) }),
      faultOf('address_refused'),
      host,
    );
  await assert.rejects(
    guarded.call({ method: 'GET', url: new URL('file:///etc/passwd') }),
    faultOf('address_refused'),
  );
  assert.equal(calls.length, before);
  await guarded.close();
});

/** Resolves every name to these addresses, one answer after the other; the last one is repeated. */
function changingResolver(...answers: readonly string[][]) {
  let count = 0;
  const resolve: Resolver = (_host, _options, done) => {
    const addresses = answers[Math.min(count, answers.length - 1)]!;
    count += 1;
    done(
      null,
      addresses.map((found) => ({ address: found, family: isIP(found) })),
    );
  };
  return { resolve, count: () => count };
}

describe('a name whose address changes', () => {
  const url = new URL(`http://rebinding.test:${port}/`);
  const onlyLoopback = (found: string) => found === '127.0.0.1';

  test('is resolved once for a connection: the checked address is the one that is called', async () => {
    const names = changingResolver(['127.0.0.1'], ['127.0.0.9']);
    const guarded = createOutbound(onlyLoopback, names.resolve);
    const before = calls.length;
    assert.equal((await guarded.call({ method: 'GET', url })).body.toString(), 'hello');
    assert.deepEqual([calls.length - before, names.count()], [1, 1]);
    assert.equal(calls.at(-1)!.headers.host, url.host);
    await guarded.close();
  });

  test('is rejected if it resolves to an internal address when the connection is made, whatever it resolved to before', async () => {
    const names = changingResolver(['8.8.8.8'], ['127.0.0.1']);
    const guard = publicAddresses({ ranges: [], hosts: [] });
    // The check when the URL is configured.
    await new Promise<void>((resolve) =>
      names.resolve(url.hostname, { all: true }, (_error, [found]) => {
        assert.ok(guard(found!.address, url.hostname));
        resolve();
      }),
    );
    const guarded = createOutbound(guard, names.resolve);
    const before = calls.length;
    await assert.rejects(guarded.call({ method: 'POST', url }), faultOf('address_refused'));
    await assert.rejects(
      guarded.open({ method: 'POST', url, idleTimeoutMs: 60_000 }),
      faultOf('address_refused'),
    );
    assert.equal(calls.length, before);
    await guarded.close();
  });

  test('is rejected if any of its addresses is internal, in either family and every notation', async () => {
    for (const inside of [
      '127.0.0.1',
      '0.0.0.0',
      '::1',
      '::',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      'fe80::1%1',
    ]) {
      for (const answer of [[inside], ['8.8.8.8', inside], [inside, '2606:4700::1111']]) {
        const guarded = createOutbound(
          publicAddresses({ ranges: [], hosts: [] }),
          changingResolver(answer).resolve,
        );
        const before = calls.length;
        await assert.rejects(
          guarded.call({ method: 'GET', url }),
          faultOf('address_refused'),
          answer.join(' '),
        );
        assert.equal(calls.length, before);
        await guarded.close();
      }
    }
  });
});

test('redirects are followed on the same host only, and never with a changed method', async () => {
  const get = outboundFetch(outbound);
  const same = await get(address('/redirect?to=/'), { headers: { authorization: 'token' } });
  assert.equal(await same.text(), 'hello');
  const before = calls.length;
  const elsewhere = `http://localhost:${port}/`;
  await assert.rejects(get(address(`/redirect?to=${elsewhere}`)), faultOf('redirect'));
  await assert.rejects(get(address('/redirect?to=/'), { method: 'POST', body: '{}' }), faultOf('redirect'));
  assert.equal(calls.length, before + 2);
  const looping = await get(address('/loop'));
  assert.equal(looping.status, 302);
});

test('an answer can be read while it arrives, and the part before a stall is delivered', async () => {
  // Long enough for the part before the stall to arrive on a slow machine.
  const limits = { timeoutMs: 600_000, idleTimeoutMs: 10_000 };
  const silent = assert.rejects(
    outbound.open({ method: 'GET', url: address('/silent'), ...limits }),
    faultOf('stalled'),
  );
  const { status, body } = await outbound.open({ method: 'GET', url: address('/stalling'), ...limits });
  const parts: string[] = [];
  await assert.rejects(async () => {
    for await (const part of body) parts.push(part.toString());
  }, faultOf('stalled'));
  assert.deepEqual([status, parts], [200, ['first part']]);
  await silent;
});

test('a stream is limited in size and time, is aborted with its caller, and follows no redirect', async () => {
  const limits = { timeoutMs: 600_000, idleTimeoutMs: 600_000, maxAnswerBytes: 1024 * 1024 };
  const get = streamingFetch(outbound, limits);
  assert.equal(await (await get(address('/'))).text(), 'hello');
  await assert.rejects((await get(address('/endless'))).text(), faultOf('too_large'));
  await assert.rejects(get(address('/redirect?to=/')), faultOf('redirect'));
  const short = streamingFetch(outbound, { ...limits, timeoutMs: 200 });
  await assert.rejects(async () => (await short(address('/stalling'))).text(), faultOf('timeout'));
  const giveUp = new AbortController();
  const given = await get(address('/stalling'), { signal: giveUp.signal });
  giveUp.abort();
  await assert.rejects(given.text());
});

describe('a call in progress can be aborted, even after a garbage collection', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;

  async function stop(caller: AbortController) {
    // Several rounds, because objects reachable from a settled promise are released one turn later.
    for (let round = 0; round < 5; round += 1) {
      await sleep(10);
      collectGarbage();
    }
    caller.abort();
  }

  test('while the answer arrives', { timeout: 300_000 }, async () => {
    const caller = new AbortController();
    const limits = { timeoutMs: 600_000, idleTimeoutMs: 600_000 };
    const answer = await streamingFetch(outbound, limits)(address('/stalling'), { signal: caller.signal });
    const reading = answer.text();
    await Promise.all([assert.rejects(reading), stop(caller)]);
  });

  test('before it has begun', { timeout: 300_000 }, async () => {
    const caller = new AbortController();
    const waiting = outboundFetch(outbound, { timeoutMs: 600_000 })(address('/silent'), {
      signal: caller.signal,
    });
    await Promise.all([assert.rejects(waiting), stop(caller)]);
  });
});
