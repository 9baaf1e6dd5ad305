import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { endedRun } from '../../../test/ended-run.ts';
import { startTestApp } from '../../../test/harness.ts';
import { member, sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const seated = [member('9001', { role: 'cr_admin', seat: true })];
await server.platform({
  organizations: ['1001', '3001'].map((id) => ({
    provider: 'github',
    provider_organization_id: id,
    members: seated,
  })),
});
const key = await server.createKey(sampleKeys.user);
const agentic = await server.createKey(sampleKeys.agentic);
const foreign = await server.createKey({ ...sampleKeys.user, org_id: '3001' });
await server.queue.startWorkers();
beforeEach(() => server.resetLimits());

const lines = ['try {', '  run();', '} finally {', '  return 1;', '}'].map((line) => `  ${line}`);
const content = ['function f() {', ...lines, '}', 'f();', ''].join('\n');
const added = content.split('\n').slice(0, -1);
const diff = `diff --git a/a.ts b/a.ts\nnew file mode 100644\n--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,${added.length} @@\n${added.map((line) => `+${line}\n`).join('')}`;

async function reviewed() {
  const { json, status, text } = await server.call('POST', '/v1/reviews', {
    key,
    body: { repository_id: '501', diff, files: [{ path: 'a.ts', content }] },
  });
  assert.equal(status, 202, text);
  return endedRun(server, json.id, key);
}
const run = await reviewed();
const [finding] = run.findings;
const at = `/v1/reviews/${run.id}/findings/${finding.finding_id}`;
const say = (accepted: unknown, by = key) => server.call('PATCH', at, { key: by, body: { accepted } });
const signals = async (query = '') => (await server.get(`${at}/signals${query}`, key)).json;

test("a person's word decides until the next one, and null takes it back", async () => {
  assert.equal(finding.accepted, null);
  assert.deepEqual((await signals()).data, []);
  for (const accepted of [true, false, true, null]) {
    const answer = await say(accepted);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual({ ...answer.json, accepted: null, state: 'open' }, finding);
    assert.equal(answer.json.accepted, accepted);
    const again = (await server.get(`/v1/reviews/${run.id}`, key)).json;
    assert.equal(
      again.findings.find((one: typeof finding) => one.finding_id === finding.finding_id).accepted,
      accepted,
    );
  }
  const { data } = await signals();
  assert.deepEqual(
    data.map((one: { signal: string; evidence: object }) => [one.signal, one.evidence]),
    [
      ['confirmed', { accepted: null }],
      ['confirmed', { accepted: true }],
      ['dismissed', { accepted: false }],
      ['confirmed', { accepted: true }],
    ],
  );
  assert.deepEqual(Object.keys(data[0]).sort(), ['actor', 'at', 'evidence', 'signal', 'source']);
  assert.equal(data[0].source, 'api');
  assert.equal(data[0].actor.is_bot, false);
});

test('taking back what was never said leaves no trace', async () => {
  const before = (await signals()).data.length;
  assert.equal((await say(null)).status, 200);
  assert.equal((await signals()).data.length, before);
});

test('signals come newest first, page by page, and each once', async () => {
  await say(true);
  await say(false);
  const all = (await signals()).data;
  const paged = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { data: object[]; next_cursor: string | null } = await signals(
      `?limit=2${cursor && `&cursor=${cursor}`}`,
    );
    paged.push(...page.data);
    cursor = page.next_cursor;
  }
  assert.deepEqual(paged, all);
  assert.ok(all.length >= 4);
});

test('an agentic key may judge, and every word is in the audit log', async () => {
  const answer = await say(true, agentic);
  assert.equal(answer.status, 200, answer.text);
  const [entry] = await server.database.sql`
    SELECT action, resource_id, metadata FROM audit_entries WHERE action = 'review_finding.judged' ORDER BY created_at DESC, position DESC LIMIT 1`;
  assert.deepEqual(
    { ...entry },
    {
      action: 'review_finding.judged',
      resource_id: finding.finding_id,
      metadata: { review_id: run.id, accepted: true },
    },
  );
});

test('unknown, foreign and faulty requests change nothing', async () => {
  const before = await signals();
  const status = async (method: string, path: string, by: string, body?: unknown) =>
    (await server.call(method, path, { key: by, ...(body !== undefined && { body }) })).status;
  assert.equal(await status('PATCH', at, foreign, { accepted: true }), 404);
  assert.equal(await status('GET', `${at}/signals`, foreign), 404);
  assert.equal(await status('PATCH', `/v1/reviews/${run.id}/findings/nothing`, key, { accepted: true }), 404);
  assert.equal(await status('GET', `/v1/reviews/${run.id}/findings/nothing/signals`, key), 404);
  for (const body of [{}, { accepted: 'yes' }, { accepted: true, more: 1 }, { accepted: 1 }])
    assert.equal(await status('PATCH', at, key, body), 400);
  assert.equal(await status('GET', `${at}/signals?limit=0`, key), 400);
  assert.equal(await status('GET', `${at}/signals?cursor=nonsense`, key), 400);
  assert.deepEqual(await signals(), before);
});

test('signals are never changed', async () => {
  await assert.rejects(async () => {
    await server.database
      .sql`UPDATE finding_signals SET signal = 'dismissed' WHERE finding_id = ${finding.finding_id}`;
  }, /never changed/);
});
