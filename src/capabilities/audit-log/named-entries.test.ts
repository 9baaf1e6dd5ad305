import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLearnings } from '../../../test/learnings-fixture.ts';
import { signInAs } from '../../../test/session.ts';

const server = await startLearnings();
const session = await signInAs(server, 'user-9001@acme.test');
const [{ id }] = (await server.database
  .sql`SELECT id FROM organizations WHERE provider_organization_id = '1001'`) as unknown as [{ id: string }];
await server.create('Name things well');
const role = await server.call('POST', '/v1/roles', {
  key: server.key,
  body: { name: 'Auditor', duplicate_from: 'cr_member' },
});
await server.call('POST', `/v1/roles/${role.json.id}/users`, {
  key: server.key,
  body: { user_ids: ['9002'] },
});

test('entries come with the names of the repositories and roles that they refer to', async () => {
  const { status, json, text } = await session.call(
    'GET',
    `/dashboard/v1/audit-log?scope=organization:${id}`,
  );
  assert.equal(status, 200, text);
  const metadataOf = (action: string) =>
    json.data.find((entry: { action: string }) => entry.action === action).metadata;
  assert.equal(json.names[metadataOf('learning.created').repository_id], 'api');
  const summaryOf = (action: string) =>
    json.data.find((entry: { action: string }) => entry.action === action).resourceSummary;
  assert.equal(summaryOf('learning.created'), 'Learning “Name things well”');
  assert.equal(json.names[metadataOf('member.role_changed').to], 'Auditor');
});

test('the export has every entry that matches, with names, and no formula', async () => {
  await server.call('POST', '/v1/roles', {
    key: server.key,
    body: { name: '=cmd()', duplicate_from: 'cr_member' },
  });
  const answer = await session.call('GET', `/dashboard/v1/audit-log/export?scope=organization:${id}`);
  assert.equal(answer.status, 200);
  assert.match(answer.headers['content-disposition']!, /audit-log\.csv/);
  const lines = answer.text.trimEnd().split('\r\n');
  const [{ count }] = (await server.database
    .sql`SELECT count(*)::int AS count FROM audit_entries WHERE chain_id = ${id}`) as unknown as [
    { count: number },
  ];
  assert.equal(lines.length, count + 1);
  assert.match(answer.text, /to: Auditor/);
  assert.match(answer.text, /repository_id: api/);
  assert.match(answer.text, /Learning “Name things well”/);
  assert.match(answer.text, /'=cmd\(\)/);
  const one = await session.call(
    'GET',
    `/dashboard/v1/audit-log/export?scope=organization:${id}&actions=learning.created`,
  );
  assert.equal(one.text.trimEnd().split('\r\n').length, 2);
});

test('of a long Learning the first words are shown, and of one that is gone its id', async () => {
  await server.create(`Say why:\n ${'so that it lasts '.repeat(20)}`);
  const summaries = async () => {
    const { json } = await session.call(
      'GET',
      `/dashboard/v1/audit-log?scope=organization:${id}&actions=learning.created`,
    );
    return json.data.map((entry: { resourceSummary: string }) => entry.resourceSummary) as string[];
  };
  const [long] = await summaries();
  assert.match(long!, /^Learning “Say why: so that it lasts so .*…”$/);
  assert.equal(long!.length, 'Learning “”'.length + 80);
  await server.database.sql`DELETE FROM learnings WHERE learning LIKE 'Say why%'`;
  assert.match((await summaries())[0]!, /^Learning [0-9a-f-]{36}$/);
  const other = await server.call('GET', '/v1/audit-logs', { key: server.key });
  assert.ok(!other.text.includes('Name things well'), 'the API says which one, never its text');
});
