import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillInventory } from '../../../../test/fill-inventory.ts';
import { startTestApp } from '../../../../test/harness.ts';
import { member, organization, sampleKeys, samplePlatform } from '../../../../test/sample-platform.ts';
import { event, finding, scannedOrganization } from '../../../../test/scanned-organization.ts';
import { SEVERITIES } from '../../../lib/sarif/severity.ts';
import { maxResponseBytes } from '../../../lib/wire/json-page.ts';

const app = await startTestApp();
await app.platform(samplePlatform());
const path = '/v1/security/scans/code';
const named = (title: string, fields: Record<string, unknown> = {}) =>
  finding({ title, rule_id: title, ...fields });
const titles = (answer: { json: { data: { title: string }[] } }) =>
  answer.json.data.map(({ title }) => title).sort();

test('findings are filtered by state, severity and repository, by default to open ones', async () => {
  const org = await scannedOrganization(app);
  await org.send(
    org.scan(1, [...SEVERITIES.map((severity) => named(severity, { severity })), named('gone')]),
    org.scan(
      2,
      SEVERITIES.map((severity) => named(severity, { severity })),
    ),
    org.scan(1, [named('web', { severity: 'low' })], { repository_id: '502' }),
  );
  const info = (await org.all()).find(({ title }) => title === 'info')!;
  await org.send(org.dismissal(3, info.id));
  const expected: [string, string[]][] = [
    ['', ['critical', 'high', 'low', 'medium', 'web']],
    ['?state=open', ['critical', 'high', 'low', 'medium', 'web']],
    ['?state=fixed', ['gone']],
    ['?state=dismissed', ['info']],
    ['?state=all', ['critical', 'gone', 'high', 'info', 'low', 'medium', 'web']],
    ['?severity=low', ['low', 'web']],
    ['?severity=low,%20critical,low', ['critical', 'low', 'web']],
    ['?severity=low&repo_id=502', ['web']],
    ['?repo_id=502', ['web']],
    ['?state=all&repo_id=501&severity=info', ['info']],
    ['?repo_id=no-such', []],
    ['?format=json&repo_id=502', ['web']],
  ];
  for (const [query, found] of expected) assert.deepEqual(titles(await org.get(query)), found, query);
});

test('invalid parameters are rejected by name', async () => {
  const org = await scannedOrganization(app);
  const invalid: [string, RegExp][] = [
    ['?state=closed', /^state: /],
    ['?severity=blocker', /^severity: each value must be one of critical, high, medium, low, info$/],
    ['?severity=low,', /^severity: contains an empty value$/],
    ['?severity=low,low,low,low,low,low', /^severity: has more than 5 values$/],
    ['?severity=low&severity=high', /^severity: given more than once$/],
    ['?format=xml', /^format: /],
    ['?limit=0', /^limit: /],
    ['?limit=1001', /^limit: /],
    ['?limit=1.5', /^limit: /],
    ['?cursor=abc', /^cursor: /],
    ['?page=2', /^page: unknown field$/],
    ['?repo_id=', /^repo_id: /],
    ['?organization_ids=1', /^organization_ids: /],
    ['?format=csv&limit=10', /^limit: is only allowed with format=json/],
    ['?format=sarif&cursor=abc', /^cursor: is only allowed with format=json/],
  ];
  for (const [query, message] of invalid) {
    const answer = await org.get(query);
    assert.equal(answer.status, 400, query);
    assert.equal(answer.json.error.code, 'INVALID_REQUEST', query);
    assert.match(answer.json.error.message, message, query);
  }
});

test('paging returns every finding once, even if findings are opened, fixed and changed in between', async () => {
  const org = await scannedOrganization(app);
  const stays = Array.from({ length: 25 }, (_, index) => named(`stays-${index}`));
  await org.send(org.scan(1, [...stays, named('goes')]));
  const seen: string[] = [];
  const cursors = new Set<string>();
  let query = '?limit=4';
  for (let page = 2; query !== ''; page += 1) {
    const answer = await org.get(query);
    assert.equal(answer.status, 200, answer.text);
    seen.push(...answer.json.data.map(({ title }: { title: string }) => title));
    const cursor = answer.json.next_cursor;
    assert.ok(!cursors.has(cursor));
    cursors.add(cursor);
    await org.send(org.scan(page, [...stays, named(`new-${page}`)]));
    query = cursor === null ? '' : `?limit=${1 + (page % 4)}&cursor=${encodeURIComponent(cursor)}`;
  }
  const unchanged = seen.filter((title) => title.startsWith('stays'));
  assert.equal(unchanged.length, stays.length);
  assert.equal(new Set(seen).size, seen.length);
});

test('a cursor is bound to the filters and the scope, and works on another node', async () => {
  const org = await scannedOrganization(app);
  const other = await scannedOrganization(app);
  await org.send(org.scan(1, [named('a'), named('b'), named('c')]));
  const first = await org.get('?limit=2&severity=high,low');
  const cursor = encodeURIComponent(first.json.next_cursor);
  const node = await app.secondNode();
  const rest = await node.get(`${path}?severity=low,high&cursor=${cursor}`, org.key);
  assert.deepEqual([...titles(first), ...titles(rest)].sort(), ['a', 'b', 'c']);
  assert.equal(rest.json.next_cursor, null);
  for (const query of [
    '',
    'severity=high&',
    'severity=high,low&state=all&',
    'severity=high,low&repo_id=501&',
  ])
    assert.equal((await org.get(`?${query}cursor=${cursor}`)).status, 400, query);
  assert.equal((await other.get(`?severity=high,low&cursor=${cursor}`)).status, 400);
});

test('every kind of key sees only the findings in its own scope', async () => {
  for (const [orgId, instance] of [
    ['1001', undefined],
    ['1002', undefined],
    ['2001', 'ghe'],
    ['2002', 'ghe'],
    ['2003', 'ghe'],
    ['3001', undefined],
  ] as const) {
    const scan = event('postil.security_scan', 1, {
      ...{ provider: 'github', org_id: orgId, ...(instance && { instance }), repository_id: '501' },
      ...{ scan_id: 's', revision: 'r', coverage_scope: 'repository', findings: [named(`of-${orgId}`)] },
    });
    assert.equal((await app.events([scan])).json.accepted, 1);
  }
  const expected: [keyof typeof sampleKeys, string, string[]][] = [
    ['organization', '', ['of-1001']],
    ['organization', '?org_id=3001', ['of-1001']],
    ['user', '?org_id=1002', ['of-1001']],
    ['workspace', '', ['of-1001', 'of-1002']],
    ['workspace', '?org_id=1002', ['of-1002']],
    ['instance', '', ['of-2001', 'of-2002']],
    ['instance', '?org_id=2003', ['of-2001', 'of-2002']],
    ['instance', '?organization_ids=2002,9999', ['of-2002']],
  ];
  for (const [kind, query, found] of expected) {
    const key = await app.createKey(sampleKeys[kind]);
    await app.resetLimits();
    assert.deepEqual(titles(await app.get(path + query, key)), found, `${kind} ${query}`);
    const format = query === '' ? '?format=' : '&format=';
    const csv = await app.get(`${path}${query}${format}csv`, key);
    const sarif = await app.get(`${path}${query}${format}sarif`, key);
    for (const text of [csv.text, sarif.text]) {
      assert.deepEqual([...new Set(text.match(/of-\d{4}/g))].sort(), found, `${kind} ${query}`);
    }
  }
});

test('pages across several organizations follow each other without gaps or repeats', async () => {
  const key = await app.createKey(sampleKeys.workspace);
  for (const orgId of ['1001', '1002']) {
    const scan = event('postil.security_scan', 2, {
      ...{ provider: 'github', org_id: orgId, repository_id: '502', scan_id: 's', revision: 'r' },
      ...{ coverage_scope: 'repository', findings: [1, 2, 3, 4].map((n) => named(`${orgId}-${n}`)) },
    });
    assert.equal((await app.events([scan])).json.accepted, 1);
  }
  await app.resetLimits();
  const whole = (await app.get(`${path}?repo_id=502`, key)).json.data;
  assert.equal(whole.length, 8);
  const paged: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const answer = await app.get(
      `${path}?repo_id=502&limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      key,
    );
    paged.push(...answer.json.data);
    cursor = answer.json.next_cursor;
  }
  assert.deepEqual(paged, whole);
});

test('findings are available on every plan and require only security:read', async () => {
  for (const plan of ['free', 'pro', 'enterprise']) {
    const org = await scannedOrganization(app, { plan, subscription: plan === 'free' ? 'none' : 'active' });
    await org.send(org.scan(1, [finding()]));
    assert.equal((await org.get()).json.data.length, 1, plan);
  }
  const document = organization({
    members: [
      member('9001', { role: 'cr_admin' }),
      member('9002'),
      member('9003', { role: 'cr_billing_admin' }),
    ],
  });
  await app.platform({ organizations: [document] });
  const request = { kind: 'user', provider: 'github', org_id: document.provider_organization_id };
  const reader = await app.get(path, await app.createKey({ ...request, owner: '9002' }));
  assert.equal(reader.status, 200);
  const refused = await app.get(path, await app.createKey({ ...request, owner: '9003' }));
  assert.deepEqual([refused.status, refused.json.error.code], [403, 'PERMISSION_DENIED']);
});

test('a page of exactly 16 MiB is sent, and one byte more is rejected', async () => {
  const org = await scannedOrganization(app);
  await fillInventory(app.database.sql, org.orgId, 1_001, 16_000);
  const { data, next_cursor } = (await org.get('?limit=500')).json;
  const others = (await org.get(`?limit=501&cursor=${encodeURIComponent(next_cursor)}`)).json.data;
  const describe = (bytes: number) => app.database.sql`
    UPDATE security_findings SET description = 'é' || repeat('x', ${bytes}::int - 2) WHERE id = ${data[0].id}`;
  // The page of 1,000 ends with a cursor to the last one, which is as long as the one to the second half.
  const page = JSON.stringify({ data: [...data, ...others.slice(0, -1)], next_cursor });
  const room = 16_000 + maxResponseBytes - Buffer.byteLength(page);
  await describe(room);
  const fits = await org.get('?limit=1000');
  assert.equal(fits.status, 200, fits.text.slice(0, 200));
  assert.equal(Buffer.byteLength(fits.text), maxResponseBytes);
  await describe(room + 1);
  const refused = await org.get('?limit=1000');
  assert.deepEqual([refused.status, refused.json.error.code], [413, 'RESPONSE_TOO_LARGE']);
  assert.equal((await org.get('?limit=999')).status, 200);
});
