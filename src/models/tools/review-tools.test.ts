import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type ScriptedTool, startToolServer } from '../../../test/models/tool-server.ts';
import { anyAddress, publicAddresses } from '../../outbound/address-guard.ts';
import { createOutbound } from '../../outbound/outbound.ts';
import { Fence } from '../../reviewer/model/fence.ts';
import { openReviewTools, type ReviewTools, type ReviewToolsOptions } from './review-tools.ts';
import type { ToolServer } from './tool-server.ts';

const outbound = createOutbound(anyAddress);
after(() => outbound.close());
const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
const { signal } = new AbortController();

async function open(
  tools: Record<string, ScriptedTool>,
  server: Partial<ToolServer> = {},
  options: Partial<ReviewToolsOptions> = {},
) {
  const double = await startToolServer(tools);
  const used: unknown[] = [];
  const opened = await openReviewTools(
    [{ name: 'tickets', url: double.url, headers: { authorization: 'Bearer of-the-server' }, ...server }],
    {
      outbound,
      isFromFork: false,
      allowForForks: false,
      onUse: async ({ name, tools: [tool] }) => void used.push([name, ...Object.values(tool!)]),
      ...options,
    },
  );
  after(() => opened.close());
  return { double, opened, used };
}

const names = (opened: ReviewTools) => opened.offer(new Fence()).map(({ name }) => name);
const search: ScriptedTool = { isReadOnly: true, answer: ({ query }) => `found ${query}` };

test('a tool is called with the headers of its server, and its answer is fenced', async () => {
  const { double, opened, used } = await open({ search });
  const fence = new Fence();
  const [tool] = opened.offer(fence);
  const answer = await tool!.run({ query: 'T-12' }, signal);
  assert.equal(answer, fence.around('answer of the tool tickets_search', 'found T-12'));
  assert.equal(double.seenHeaders.at(-1)!.authorization, 'Bearer of-the-server');
  assert.deepEqual(used, [['tickets', 'search', 1, 0]]);
});

test('only allowed tools are offered: those that are listed, or by default those that are read-only', async () => {
  const all = { search, close: { answer: () => 'closed' }, drop: { isReadOnly: false, answer: () => '' } };
  assert.deepEqual(names((await open(all)).opened), ['tickets_search']);
  assert.deepEqual(names((await open(all, { tools: ['close', 'unknown'] })).opened), ['tickets_close']);
  assert.deepEqual(names((await open(all, { tools: [] })).opened), []);
});

test('a change from a fork gets no tools unless that is allowed', async () => {
  const denied = await open({ search }, {}, { isFromFork: true });
  assert.deepEqual(names(denied.opened), []);
  assert.equal(denied.double.seenHeaders.length, 0, 'the server is not even called');
  const allowed = await open({ search }, {}, { isFromFork: true, allowForForks: true });
  assert.deepEqual(names(allowed.opened), ['tickets_search']);
});

test('credentials are sent neither to a tool nor from it to the model', async () => {
  const { double, opened } = await open({
    search: { isReadOnly: true, description: `uses ${token}`, answer: () => `the key is ${token}` },
  });
  const [tool] = opened.offer(new Fence());
  const answer = await tool!.run({ query: `send ${token}`, more: [{ password: 'hunter2-Xy9!' }] }, signal);
  assert.ok(!(answer + tool!.description).includes(token));
  assert.ok(!JSON.stringify(double.calls).includes(token));
  assert.ok(!JSON.stringify(double.calls).includes('hunter2'));
});

test('a tool that fails or times out is counted as a failure, and the review continues', async () => {
  const failing = await open({
    broken: { isReadOnly: true, answer: () => Promise.reject(new Error('no such ticket')) },
  });
  const [broken] = failing.opened.offer(new Fence());
  assert.match(await broken!.run({}, signal), /no such ticket/);
  assert.deepEqual(failing.used, [
    ['tickets', 'broken', 1, 0],
    ['tickets', 'broken', 0, 1],
  ]);
  const waiting = await open(
    { silent: { isReadOnly: true, answer: () => new Promise(() => {}) } },
    {},
    { callTimeoutMs: 1_000 },
  );
  const [silent] = waiting.opened.offer(new Fence());
  assert.equal(await silent!.run({}, signal), 'The tool failed.');
  assert.deepEqual(waiting.used, [
    ['tickets', 'silent', 1, 0],
    ['tickets', 'silent', 0, 1],
  ]);
});

test('a server that cannot be reached is reported, the others are used', async () => {
  const { url } = await startToolServer({ search });
  const guarded = createOutbound(publicAddresses({ ranges: [], hosts: [] }));
  after(() => guarded.close());
  const servers = [
    { name: 'away', url: 'http://127.0.0.1:1/mcp', headers: { secret: 'x' } },
    { name: 'here', url, headers: {} },
  ];
  const fork = { isFromFork: false, allowForForks: false };
  const opened = await openReviewTools(servers, { outbound, ...fork });
  after(() => opened.close());
  assert.deepEqual(opened.failures, ['the MCP server away could not be used']);
  assert.deepEqual(names(opened), ['here_search']);
  const refused = await openReviewTools(servers, { outbound: guarded, ...fork });
  assert.equal(refused.failures.length, 2, 'internal addresses are refused');
});

test('the number of calls in a review is limited', async () => {
  const { double, opened } = await open({ search });
  const [tool] = opened.offer(new Fence());
  for (let call = 0; call < 35; call += 1) await tool!.run({ query: 'x' }, signal);
  assert.equal(double.calls.length, 30);
});
