import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startLearnings } from '../../test/learnings-fixture.ts';
import { member, sampleKeys } from '../../test/sample-platform.ts';
import { event, finding } from '../../test/scanned-organization.ts';

const server = await startLearnings();
await server.platform({
  organizations: [
    {
      provider: 'github',
      provider_organization_id: '1001',
      members: [member('9001', { role: 'cr_admin', seat: true })],
    },
  ],
});
const keys = Object.fromEntries(
  await Promise.all(
    Object.entries(sampleKeys).map(
      async ([kind, request]) => [kind, await server.createKey(request)] as const,
    ),
  ),
) as Record<keyof typeof sampleKeys, string>;
const foreignKey = await server.createKey({ ...sampleKeys.user, org_id: '3001' });
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
await server.queue.startWorkers();

beforeEach(() => server.resetLimits());

async function connect(key: string, header = 'x-service-api-key') {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { [header]: header === 'authorization' ? `Bearer ${key}` : key } },
  });
  await client.connect(transport);
  return client;
}
type Client_ = Awaited<ReturnType<typeof connect>>;
// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects, and fails if they are missing
async function call(client: Client_, name: string, given: Record<string, unknown>): Promise<any> {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: given });
  const [first] = content as unknown as [{ text: string }];
  if (!isError) assert.deepEqual(JSON.parse(first.text), structuredContent);
  return { isError: isError === true, text: first.text, json: structuredContent };
}
const diff =
  'diff --git a/src/a.ts b/src/a.ts\nnew file mode 100644\n--- /dev/null\n+++ b/src/a.ts\n@@ -0,0 +1,3 @@\n+export function f() {\n+  try { return 1; } finally { return 2; }\n+}\n';

describe('the official client', () => {
  test('is offered the tools for its kind of key, with the key as a header or as a bearer token', async () => {
    const expected = {
      user: [
        'get_review',
        'list_findings',
        'list_security_findings',
        'review_changes',
        'review_metrics',
        'search_learnings',
      ],
      organization: ['list_findings', 'list_security_findings', 'review_metrics', 'search_learnings'],
      agentic: ['get_review', 'review_changes'],
    };
    for (const [kind, names] of Object.entries(expected))
      for (const header of ['x-service-api-key', 'authorization']) {
        const client = await connect(keys[kind as 'user'], header);
        assert.equal(client.getServerVersion()?.name, 'postil');
        const { tools } = await client.listTools();
        assert.deepEqual(tools.map(({ name }) => name).sort(), names);
        await client.close();
      }
  });

  test('reviews changes and reads the review until it has ended', async () => {
    const client = await connect(keys.agentic);
    const files = [
      { path: 'src/a.ts', content: 'export function f() {\n  try { return 1; } finally { return 2; }\n}\n' },
    ];
    const started = await call(client, 'review_changes', { repository_id: '501', diff, files });
    assert.equal(started.json.status, 'queued');
    let review = started;
    while (['queued', 'running'].includes(review.json.status)) {
      await server.resetLimits();
      review = await call(client, 'get_review', { id: started.json.id });
    }
    assert.equal(review.json.status, 'succeeded');
    assert.ok(review.json.findings.length > 0);
    const listing = await connect(keys.user);
    const listed = await call(listing, 'list_findings', { repository_ids: '501', state: 'open' });
    assert.deepEqual(listed.json.data[0], {
      review_id: started.json.id,
      repository_id: '501',
      pull_request: null,
      pr_url: null,
      ...review.json.findings[0],
    });
    assert.deepEqual((await call(listing, 'list_findings', { state: 'dismissed' })).json.data, []);
    assert.deepEqual((await call(listing, 'list_findings', { repository_ids: '502' })).json.data, []);
    await Promise.all([client.close(), listing.close()]);
  });

  describe('reads', () => {
    let client: Client_;
    before(async () => {
      client = await connect(keys.organization);
    });

    test('Learnings', async () => {
      await server.create('Wrap every database call in a transaction');
      const given = { repository_id: '501', query: 'database transaction', limit: 5 };
      const answer = await call(client, 'search_learnings', given);
      assert.equal(answer.json.data[0].learning, 'Wrap every database call in a transaction');
    });

    test('review metrics', async () => {
      const answer = await call(client, 'review_metrics', {
        start_date: '2026-06-01',
        end_date: '2026-06-30',
      });
      assert.deepEqual(answer.json, { data: [], next_cursor: null });
    });

    test('security findings', async () => {
      const scan = {
        provider: 'github',
        org_id: '1001',
        repository_id: '501',
        scan_id: 's',
        revision: 'r',
        coverage_scope: 'repository',
        findings: [finding()],
      };
      await server.events([event('postil.security_scan', 1, scan)]);
      const answer = await call(client, 'list_security_findings', { severity: 'high', limit: 1 });
      assert.equal(answer.json.data[0].title, 'SQL injection');
    });
  });
});

test('a client of the previous protocol version, with a handshake, is answered, too', async () => {
  const send = async (message: object) => {
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${keys.agentic}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
    const text = await answer.text();
    return { status: answer.status, json: text === '' ? undefined : JSON.parse(text.replace(/^[^{]*/, '')) };
  };
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const initialized = await send({ id: 1, method: 'initialize', params });
  assert.equal(initialized.json.result.protocolVersion, '2025-06-18');
  assert.equal((await send({ method: 'notifications/initialized' })).status, 202);
  const listed = await send({ id: 2, method: 'tools/list' });
  assert.equal(listed.json.result.tools.length, 2);
});

describe('errors', () => {
  test('of the API are errors of the tool, with its code and message', async () => {
    const client = await connect(keys.user);
    const cases: [string, Record<string, unknown>, RegExp][] = [
      ['review_metrics', { start_date: 'x' }, /^INVALID_REQUEST: .*start_date/],
      ['search_learnings', { repository_id: '501', query: 'a', other: 1 }, /^INVALID_REQUEST: .*other/],
      ['search_learnings', { repository_id: '501', query: 'a', limit: 'many' }, /^INVALID_REQUEST: .*limit/],
      ['list_findings', { state: 'open', nothing: 'x' }, /^INVALID_REQUEST: .*nothing/],
      ['list_security_findings', { cursor: 'forged' }, /^INVALID_REQUEST/],
      ['get_review', { id: '00000000-0000-4000-8000-000000000001' }, /^NOT_FOUND/],
      ['get_review', { id: '../organizations' }, /^INVALID_REQUEST/],
      ['get_review', {}, /^INVALID_REQUEST/],
      ['review_changes', { repository_id: '999', diff }, /^NOT_FOUND/],
    ];
    for (const [name, given, expected] of cases) {
      const answer = await call(client, name, given);
      assert.equal(answer.isError, true, `${name} ${JSON.stringify(given)}`);
      assert.match(answer.text, expected);
      assert.equal(answer.json.error.code, answer.text.split(':')[0]);
    }
    await client.close();
  });

  test('a review of another organization is not found', async () => {
    const own = await connect(keys.user);
    const { json } = await call(own, 'review_changes', { repository_id: '501', diff });
    const foreign = await connect(foreignKey);
    assert.match((await call(foreign, 'get_review', { id: json.id })).text, /^NOT_FOUND/);
    assert.deepEqual((await call(foreign, 'list_findings', {})).json.data, []);
    await Promise.all([own.close(), foreign.close()]);
  });

  test('the limit of an endpoint holds for its tool, too', async () => {
    const key = await server.createKey(sampleKeys.user);
    for (let sent = 0; sent < 30; sent += 1) await server.call('POST', '/v1/reviews', { key, body: {} });
    const client = await connect(key);
    const answer = await call(client, 'review_changes', { repository_id: '501', diff });
    assert.match(answer.text, /^RATE_LIMIT_EXCEEDED/);
    await client.close();
  });

  test('concurrent large calls do not block the requests that they make themselves', async () => {
    const client = await connect(keys.user);
    const large = { repository_id: '501', diff: 'x'.repeat(100_000) };
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(client, 'review_changes', large)));
    for (const { text } of answers) assert.match(text, /^INVALID_REQUEST/);
    await client.close();
  });

  test('a tool that is not for this kind of key does not exist', async () => {
    const client = await connect(keys.agentic);
    await assert.rejects(
      client.callTool({ name: 'search_learnings', arguments: {} }),
      /no tool search_learnings/,
    );
    await client.close();
  });

  test('keys that are missing, unknown or of another kind are rejected as everywhere', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const rejected = async (key: string | undefined, status: number, code: string) => {
      const answer = await server.call('POST', '/mcp', { key, body: ping });
      assert.deepEqual([answer.status, answer.json.error.code], [status, code]);
    };
    await rejected(undefined, 401, 'UNAUTHORIZED');
    await rejected('pst_u_unknown', 401, 'UNAUTHORIZED');
    await rejected(keys.workspace, 403, 'KEY_TYPE_FORBIDDEN');
    await rejected(keys.instance, 403, 'KEY_TYPE_FORBIDDEN');
    await rejected(keys.legacy, 410, 'LEGACY_API_KEY');
    const bearer = await server.call('POST', '/v1/reviews', {
      headers: { authorization: `Bearer ${keys.user}` },
      body: {},
    });
    assert.equal(bearer.status, 401, 'other endpoints take no bearer tokens');
  });

  test('other methods are not allowed, and a body that is not JSON-RPC is reported as such', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await server.call(method, '/mcp', { key: keys.user });
      assert.deepEqual([answer.status, answer.headers.allow], [405, 'POST']);
    }
    const send = (body: string) =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-api-key': keys.user },
        body,
      });
    for (const body of ['{}', '[]', '1', 'null', '{"jsonrpc":"2.0","id":1,"method":5}']) {
      const answer = await send(body);
      assert.equal(answer.status, 400, body);
    }
    assert.equal((await send('{')).status, 400);
    assert.equal((await send(JSON.stringify('x'.repeat(17 * 1024 * 1024)))).status, 413);
    const listening = await send(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} }),
    );
    assert.ok(await listening.text(), 'nothing waits for ever');
  });
});
