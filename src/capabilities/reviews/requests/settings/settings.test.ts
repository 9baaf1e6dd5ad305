import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { startTestApp } from '../../../../../test/harness.ts';
import { organization, sampleKeys, samplePlatform } from '../../../../../test/sample-platform.ts';

const server = await startTestApp({
  settings: { customerAddresses: { ranges: [['10.9.0.0', 16]], hosts: [] } },
});
await server.platform(samplePlatform());
const workspaceKey = await server.createKey(sampleKeys.workspace);

beforeEach(() => server.resetLimits());

const reviews = '/v1/settings/reviews';
const servers = '/v1/settings/mcp-servers';

async function newTenant() {
  const own = organization();
  await server.platform({ organizations: [own] });
  const request = { kind: 'organization', provider: 'github', org_id: own.provider_organization_id };
  const key = await server.createKey({ ...request, owner: '9001' });
  return {
    key,
    memberKey: await server.createKey({ ...request, owner: '9002' }),
    put: (path: string, body: unknown) => server.call('PUT', path, { key, body }),
    get: async (path: string) => (await server.get(path, key)).json,
    auditOf: async (action: string) =>
      (await server.get(`/v1/audit-logs?actions=${action}`, key)).json.data as { metadata: unknown }[],
  };
}

const untouched = {
  other_reviewers: [],
  budget_usd_per_month: null,
  ast_grep_rules: [],
  allow_mcp_for_forks: false,
  defaults: {},
  enforced_checks: {},
};
const rule = 'id: no-console\nlanguage: ts\nrule:\n  pattern: console.log($$$A)\nmessage: No console here.\n';
const filled = {
  other_reviewers: ['other-bot[bot]'],
  budget_usd_per_month: 12.5,
  ast_grep_rules: [rule],
  allow_mcp_for_forks: true,
  defaults: { reviews: { fail_on: 'major', path_filters: ['!dist/**'] }, language: 'de' },
  enforced_checks: { title: { pattern: '^feat', mode: 'error' } },
};

describe('review settings', () => {
  test('are as nobody decided anything, until somebody does', async () => {
    const { get, put } = await newTenant();
    assert.deepEqual(await get(reviews), untouched);
    const answer = await put(reviews, filled);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json, filled);
    assert.deepEqual(await get(reviews), filled);
  });

  test('are replaced as a whole: what is left out takes its default', async () => {
    const { get, put } = await newTenant();
    await put(reviews, filled);
    const answer = await put(reviews, { budget_usd_per_month: 3 });
    assert.deepEqual(answer.json, { ...untouched, budget_usd_per_month: 3 });
    assert.deepEqual(await get(reviews), answer.json);
  });

  test('are in the audit log when they change, and only then', async () => {
    const { put, auditOf } = await newTenant();
    await put(reviews, { budget_usd_per_month: 3 });
    await put(reviews, { budget_usd_per_month: 3 });
    const entries = await auditOf('review_settings.updated');
    assert.equal(entries.length, 1);
    assert.deepEqual(entries[0]!.metadata, {
      changed: ['budget_usd_per_month'],
      budget_usd_per_month: { from: null, to: 3 },
    });
  });

  const faulty: readonly [string, unknown, RegExp][] = [
    ['an unknown field', { budget: 3 }, /budget: unknown field/],
    ['no object', [], /the body: must be an object/],
    ['a negative budget', { budget_usd_per_month: -1 }, /budget_usd_per_month: must be at least 0/],
    ['a budget in words', { budget_usd_per_month: '5' }, /budget_usd_per_month: must be a number/],
    ['an empty user name', { other_reviewers: [' '] }, /other_reviewers\[0\]/],
    [
      'defaults that a file could not have',
      { defaults: { reviews: { fail_on: 'never' } } },
      /defaults\.reviews\.fail_on/,
    ],
    [
      'a path filter with too many stars',
      { defaults: { reviews: { path_filters: [`!${'*a'.repeat(30)}`] } } },
      /defaults\.reviews\.path_filters\[0\]: must not have more than 20 wildcards/,
    ],
    [
      'a base branch that refers back to a group',
      { defaults: { reviews: { auto_review: { base_branches: ['(a)\\1'] } } } },
      /defaults\.reviews\.auto_review\.base_branches\[0\]: must not refer back to a group/,
    ],
    [
      'a rule for files with too many stars',
      { ast_grep_rules: [`${rule}files: ["${'*a'.repeat(30)}"]\n`] },
      /ast_grep_rules\[0\]: line 6, column 9: files\[0\]: must not have more than 20 wildcards/,
    ],
    [
      'an enforced check that nobody knows',
      { enforced_checks: { spelling: {} } },
      /enforced_checks\.spelling: unknown field/,
    ],
    [
      'an enforced pattern that could run for seconds',
      { enforced_checks: { title: { pattern: '(a)\\1' } } },
      /enforced_checks\.title\.pattern: must be a regular expression that is matched in linear time/,
    ],
    ['an unknown default', { defaults: { review: {} } }, /defaults\.review: unknown field/],
    [
      'rules that are no YAML',
      { ast_grep_rules: [rule, 'id: x\nrule: [\n'] },
      /ast_grep_rules\[1\]: line \d+, column \d+: /,
    ],
    [
      'a rule of another shape',
      { ast_grep_rules: [`${rule}---\nid: y\nlanguage: cobol\nrule: {}\n`] },
      /ast_grep_rules\[0\]: line 8, column 11: language: must be one of/,
    ],
    [
      'a rule that cannot be compiled',
      { ast_grep_rules: ['id: x\nlanguage: ts\nrule:\n  kind: no_such_kind\n'] },
      /ast_grep_rules\[0\]: line 1, column 1: the rule x cannot be used: /,
    ],
    ['an id twice', { ast_grep_rules: [rule, rule] }, /ast_grep_rules\[1\]: line 1, column 1: another rule/],
    [
      'aliases that multiply',
      {
        ast_grep_rules: [
          `a: &a [${'x,'.repeat(9)}x]\nb: &b [${'*a,'.repeat(9)}*a]\nc: [${'*b,'.repeat(9)}*b]\n`,
        ],
      },
      /ast_grep_rules\[0\]: line 1, column 1: /,
    ],
  ];
  for (const [what, body, message] of faulty)
    test(`with ${what} are refused with the place, and nothing changes`, async () => {
      const { get, put } = await newTenant();
      await put(reviews, filled);
      const answer = await put(reviews, body);
      assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_REQUEST'], answer.text);
      assert.match(answer.json.error.message, message);
      assert.deepEqual(await get(reviews), filled);
    });

  test('are for admins, and each organization has its own', async () => {
    const one = await newTenant();
    const other = await newTenant();
    await one.put(reviews, filled);
    assert.deepEqual(await other.get(reviews), untouched);
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', filled],
    ] as const) {
      const answer = await server.call(method, reviews, { key: one.memberKey, body });
      assert.deepEqual([answer.status, answer.json.error.code], [403, 'NOT_ADMIN']);
    }
  });

  test('a workspace token names the organization in the query or in the body, and not two different ones', async () => {
    const call = (query: string, body: object) =>
      server.call('PUT', `${reviews}${query}`, { key: workspaceKey, body });
    assert.equal((await call('', {})).json.error.code, 'ORG_ID_REQUIRED');
    assert.equal((await call('?org_id=1001', { budget_usd_per_month: 1 })).status, 200);
    assert.equal((await call('', { org_id: '1002', budget_usd_per_month: 2 })).status, 200);
    assert.equal((await call('?org_id=1001', { org_id: '1002' })).status, 400);
    assert.equal((await call('?org_id=3001', {})).json.error.code, 'ORGANIZATION_NOT_FOUND');
    const read = (id: string) => server.get(`${reviews}?org_id=${id}`, workspaceKey);
    assert.equal((await read('1001')).json.budget_usd_per_month, 1);
    assert.equal((await read('1002')).json.budget_usd_per_month, 2);
  });
});

const secret = 'Bearer value-that-nobody-sees-again';
const tickets = { name: 'tickets', url: 'https://mcp.acme.test/mcp', headers: { authorization: secret } };
const shown = { ...tickets, headers: { authorization: null } };

describe('MCP servers', () => {
  test('are replaced as a list, in its order, and show only the names of their headers', async () => {
    const { put, get } = await newTenant();
    assert.deepEqual(await get(servers), { data: [], next_cursor: null });
    const wiki = { name: 'wiki', url: 'https://wiki.acme.test/mcp', tools: ['search'] };
    const answer = await put(servers, [wiki, { ...tickets, headers: { Authorization: secret } }]);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json, { data: [{ ...wiki, headers: {} }, shown], next_cursor: null });
    assert.deepEqual(await get(servers), answer.json);
    await put(servers, []);
    assert.deepEqual((await get(servers)).data, []);
  });

  test('keep values of headers sealed: neither the database nor the log nor the audit log has them', async () => {
    const { key, put } = await newTenant();
    await put(servers, [tickets]);
    const rows = await server.database.sql`
      SELECT to_jsonb(m)::text || encode(s.sealed, 'escape') AS text
      FROM mcp_servers m JOIN sealed_secrets s ON s.id = m.headers_id`;
    const audit = (await server.get('/v1/audit-logs', key)).text;
    assert.match(audit, /mcp_server\.created/);
    assert.ok(rows.length > 0);
    assert.ok(![...rows.map(({ text }) => text), audit, ...server.logLines].join().includes('nobody-sees'));
  });

  test('keep a value for null, also when other things change, and drop it with its header', async () => {
    const { put, get } = await newTenant();
    await put(servers, [tickets]);
    const sealed = () => server.database.sql`SELECT count(*)::int AS count FROM sealed_secrets`;
    const answer = await put(servers, [
      {
        ...shown,
        url: 'https://mcp.acme.test/other',
        tools: ['search'],
        headers: { authorization: null, 'x-team': 'a' },
      },
    ]);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json.data[0].headers, { authorization: null, 'x-team': null });
    const [before] = await sealed();
    await put(servers, [{ ...shown, headers: {} }]);
    assert.deepEqual((await get(servers)).data[0].headers, {});
    const [after] = await sealed();
    assert.equal(after!.count, before!.count - 1, 'a dropped value is not kept anywhere');
  });

  test('never send a kept value elsewhere: another origin or name needs the value again', async () => {
    const { put, get } = await newTenant();
    await put(servers, [tickets]);
    for (const changed of [{ url: 'https://evil.acme.test/mcp' }, { name: 'other' }]) {
      const answer = await put(servers, [{ ...shown, ...changed }]);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.json.error.message, /\[0\]\.headers\.authorization: no value is stored/);
    }
    assert.deepEqual((await get(servers)).data, [shown]);
  });

  test('are in the audit log one by one, and only when something changed', async () => {
    const { put, auditOf } = await newTenant();
    await put(servers, [tickets]);
    await put(servers, [shown]);
    await put(servers, [{ ...shown, tools: ['search'] }]);
    await put(servers, []);
    assert.equal((await auditOf('mcp_server.created')).length, 1);
    assert.deepEqual((await auditOf('mcp_server.updated'))[0]!.metadata, {
      url: tickets.url,
      changed: ['tools'],
    });
    assert.equal((await auditOf('mcp_server.deleted')).length, 1);
  });

  const faulty: readonly [string, unknown, RegExp][] = [
    ['no list', { data: [] }, /must be a list/],
    ['no name', [{ url: tickets.url }], /\[0\]\.name: is required/],
    ['a name twice', [tickets, tickets], /\[1\]\.name: occurs twice/],
    [
      'an address that is none',
      [{ ...tickets, url: 'mcp acme' }],
      /^\[0\]\.url: must be an http or https URL$/,
    ],
    ['another protocol', [{ ...tickets, url: 'ftp://mcp.acme.test' }], /must be an http or https URL/],
    ['loopback', [{ ...tickets, url: 'http://127.0.0.1:3000/mcp' }], /\[0\]\.url: is an internal address/],
    ['loopback in IPv6', [{ ...tickets, url: 'http://[::1]/mcp' }], /is an internal address/],
    ['a loopback name', [{ ...tickets, url: 'http://localhost:3000/mcp' }], /is an internal address/],
    ['a private address', [{ ...tickets, url: 'https://10.8.0.1/mcp' }], /is an internal address/],
    ['metadata of a cloud', [{ ...tickets, url: 'http://169.254.169.254/' }], /is an internal address/],
    ['a password in its URL', [{ ...tickets, url: 'https://a:b@mcp.acme.test/' }], /contains a credential/],
    ['a line break in a header', [{ ...tickets, headers: { a: 'b\r\nc: d' } }], /headers\.a/],
    ['a header of the connection', [{ ...tickets, headers: { Host: 'other' } }], /cannot be set/],
    ['a header twice', [{ ...tickets, headers: { a: 'b', A: 'c' } }], /occurs twice/],
    ['an unknown field', [{ ...tickets, kind: 'sse' }], /\[0\]\.kind: unknown field/],
  ];
  for (const [what, body, message] of faulty)
    test(`with ${what} are refused, and nothing changes`, async () => {
      const { put, get } = await newTenant();
      await put(servers, [{ name: 'kept', url: 'https://mcp.acme.test/mcp' }]);
      const answer = await put(servers, body);
      assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_REQUEST'], answer.text);
      assert.match(answer.json.error.message, message);
      assert.deepEqual((await get(servers)).data, [
        { name: 'kept', url: 'https://mcp.acme.test/mcp', headers: {} },
      ]);
    });

  test('may have an internal address that the operator allows', async () => {
    const { put } = await newTenant();
    assert.equal((await put(servers, [{ ...tickets, url: 'http://10.9.1.2/mcp' }])).status, 200);
  });

  test('are for admins, and each organization has its own', async () => {
    const one = await newTenant();
    const other = await newTenant();
    await one.put(servers, [tickets]);
    assert.deepEqual((await other.get(servers)).data, []);
    const answer = await server.call('PUT', servers, { key: one.memberKey, body: [] });
    assert.deepEqual([answer.status, answer.json.error.code], [403, 'NOT_ADMIN']);
    assert.equal(
      (await server.call('PUT', `${servers}?org_id=1001`, { key: workspaceKey, body: [tickets] })).status,
      200,
    );
  });
});
