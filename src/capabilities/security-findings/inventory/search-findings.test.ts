import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { member } from '../../../../test/sample-platform.ts';
import { event, finding, scannedOrganization } from '../../../../test/scanned-organization.ts';
import { signInAs } from '../../../../test/session.ts';
import { codeUrl } from './code-url.ts';

const server = await startTestApp();
const org = await scannedOrganization(server);
await server.platform({
  organizations: [
    {
      provider: 'github',
      provider_organization_id: org.orgId,
      members: [member('9003', { email: 'plain@acme.test' })],
    },
  ],
});
await org.send(
  org.scan(1, [
    finding({ title: 'Alpha', severity: 'low', rule_id: 'r1' }),
    finding({ title: 'Beta', severity: 'critical', rule_id: 'r2', file_path: 'src/Login.ts' }),
  ]),
  org.scan(2, [finding({ title: 'Gamma', severity: 'high', rule_id: 'sql' })], { repository_id: '502' }),
);
const admin = await signInAs(server, 'user-9001@acme.test');
const plain = await signInAs(server, 'plain@acme.test');
const [{ id: organizationId }] = (await server.database
  .sql`SELECT id FROM organizations WHERE provider_organization_id = ${org.orgId}`) as unknown as [
  { id: string },
];
const scope = `scope=organization:${organizationId}`;

async function titles(query: string) {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/dashboard/v1/security/findings?${scope}&${query}${cursor && `&cursor=${cursor}`}`;
    const { status, json, text } = await admin.call('GET', path);
    assert.equal(status, 200, text);
    found.push(...json.data.map(({ title }: { title: string }) => title));
    cursor = json.next_cursor;
  }
  return found;
}

test('findings are sorted by severity or age, page by page, and found by title, rule, file or repository', async () => {
  assert.deepEqual(await titles('limit=1'), ['Beta', 'Gamma', 'Alpha']);
  assert.deepEqual(await titles('limit=1&sort=-severity'), ['Alpha', 'Gamma', 'Beta']);
  assert.equal((await titles('limit=1&sort=-detected'))[0], 'Gamma');
  assert.equal((await titles('limit=2&sort=detected')).at(-1), 'Gamma');
  for (const [search, expected] of [
    ['ALPH', ['Alpha']],
    ['sql', ['Gamma']],
    ['login.ts', ['Beta']],
    ['%', []],
  ] as const)
    assert.deepEqual(await titles(`search=${encodeURIComponent(search)}`), expected, search);
  assert.deepEqual(await titles('repo_id=502'), ['Gamma']);
  assert.deepEqual(await titles('severity=low,critical'), ['Beta', 'Alpha']);
  assert.deepEqual(await titles('state=fixed'), []);
});

test('a finding has its code and history, and is dismissed with a reason by those who may write security only', async () => {
  const pullRequest = {
    provider: 'github',
    org_id: org.orgId,
    repository_id: '501',
    number: 7,
    url: 'https://git.test/acme/api/pull/7',
    state: 'open',
    author_id: '9001',
    created_at: '2026-01-01T00:00:00Z',
  };
  await org.send(event('postil.pull_request', 3, pullRequest));
  const beta = (await org.all()).find(({ title }) => title === 'Beta')!;
  const address = `/dashboard/v1/security/findings/${beta.id}`;
  const before = await plain.call('GET', `${address}?${scope}`);
  assert.equal(before.json.finding.title, 'Beta');
  assert.match(before.json.code_url, /^https:\/\/git\.test\/acme\/api\/blob\/[^/]+\/src\/Login\.ts#L3-L4$/);
  assert.deepEqual(
    before.json.history.map(({ event: what }: { event: string }) => what),
    ['detected'],
  );
  const dismiss = (session: typeof admin, reason: unknown, id = beta.id) =>
    session.call('POST', `/dashboard/v1/security/findings/${id}/dismissal?${scope}`, { body: { reason } });
  assert.equal((await dismiss(plain, 'No')).status, 403);
  for (const reason of ['', '  ', undefined, 7]) assert.equal((await dismiss(admin, reason)).status, 400);
  assert.equal((await dismiss(admin, 'x', '00000000-0000-4000-8000-000000000000')).status, 404);
  assert.equal((await org.all()).filter(({ state }) => state === 'dismissed').length, 0);

  assert.equal((await dismiss(admin, 'Only in tests')).status, 204);
  assert.deepEqual(await titles('state=dismissed'), ['Beta']);
  const after = (await plain.call('GET', `${address}?${scope}`)).json;
  assert.deepEqual(after.dismissal, { reason: 'Only in tests', by: 'user-9001' });
  const { event: what, by, reason } = after.history.at(-1);
  assert.deepEqual([what, by, reason], ['dismissed', 'user-9001', 'Only in tests']);
  const [entry] = await server.database.sql`
    SELECT actor_name FROM audit_entries WHERE resource_id = ${beta.id} AND action = 'security_finding.dismissed'`;
  assert.equal(entry!.actor_name, 'user-9001');
});

test("another organization's finding is not found", async () => {
  const other = await scannedOrganization(server);
  await other.send(other.scan(1, [finding()]));
  const [foreign] = await other.all();
  const address = `/dashboard/v1/security/findings/${foreign!.id}`;
  assert.equal((await admin.call('GET', `${address}?${scope}`)).status, 404);
  const dismissed = await admin.call('POST', `${address}/dismissal?${scope}`, { body: { reason: 'x' } });
  assert.equal(dismissed.status, 404);
  assert.equal((await other.all())[0]!.state, 'open');
});

test('the address of code follows each host, and is left out where it is not known', () => {
  const place = { revision: 'ab c', filePath: 'src/a b.ts', startLine: 1, endLine: 2 };
  for (const [provider, pullRequestUrl, expected] of [
    ['github', 'https://h.test/o/r/pull/1', 'https://h.test/o/r/blob/ab%20c/src/a%20b.ts#L1-L2'],
    [
      'gitlab',
      'https://h.test/g/s/r/-/merge_requests/1',
      'https://h.test/g/s/r/-/blob/ab%20c/src/a%20b.ts#L1-2',
    ],
    ['gitea', 'https://h.test/o/r/pulls/1', 'https://h.test/o/r/src/commit/ab%20c/src/a%20b.ts#L1-L2'],
    [
      'bitbucket',
      'https://h.test/o/r/pull-requests/1',
      'https://h.test/o/r/src/ab%20c/src/a%20b.ts#lines-1:2',
    ],
    ['github', null, null],
    ['github', 'javascript:alert(1)/pull/1', null],
  ] as const)
    assert.equal(codeUrl({ ...place, provider, pullRequestUrl }), expected);
  assert.equal(
    codeUrl({ ...place, filePath: '', provider: 'github', pullRequestUrl: 'https://h.test/o/r/pull/1' }),
    null,
  );
});
