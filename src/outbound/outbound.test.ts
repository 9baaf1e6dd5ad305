import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { anyAddress, publicAddresses } from './address-guard.ts';
import { createOutbound } from './outbound.ts';
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
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1'])
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

test('an answer can be read while it arrives, and what came before it stalled is there', async () => {
  const limits = { timeoutMs: 60_000, idleTimeoutMs: 300 };
  const { status, body } = await outbound.open({ method: 'GET', url: address('/stalling'), ...limits });
  const parts: string[] = [];
  await assert.rejects(async () => {
    for await (const part of body) parts.push(part.toString());
  }, faultOf('stalled'));
  assert.deepEqual([status, parts], [200, ['first part']]);
  const silent = outbound.open({ method: 'GET', url: address('/silent'), ...limits });
  await assert.rejects(silent, faultOf('stalled'));
});

test('a stream is bounded in size and time, ends with its caller, and follows no redirect', async () => {
  const limits = { timeoutMs: 60_000, idleTimeoutMs: 60_000, maxAnswerBytes: 1024 * 1024 };
  const get = streamingFetch(outbound, limits);
  assert.equal(await (await get(address('/'))).text(), 'hello');
  await assert.rejects((await get(address('/endless'))).text(), faultOf('too_large'));
  await assert.rejects(get(address('/redirect?to=/')), faultOf('redirect'));
  const short = streamingFetch(outbound, { ...limits, timeoutMs: 200 });
  await assert.rejects((await short(address('/stalling'))).text(), faultOf('timeout'));
  const giveUp = new AbortController();
  const given = await get(address('/stalling'), { signal: giveUp.signal });
  giveUp.abort();
  await assert.rejects(given.text());
});
