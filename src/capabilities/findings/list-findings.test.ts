import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { member, sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
await server.platform({
  organizations: ['1001', '3001'].map((id) => ({
    provider: 'github',
    provider_organization_id: id,
    members: [member('9001', { role: 'cr_admin', seat: true })],
  })),
});
const key = await server.createKey(sampleKeys.user);
const foreign = await server.createKey({ ...sampleKeys.user, org_id: '3001' });
beforeEach(() => server.resetLimits());
const { sql } = server.database;

/** A finding that is followed on pull request 7, posted on a day of May 2026. */
async function followed(findingId: string, reviewer: string | null, day: number, signals: string[] = []) {
  const repository = sql`
    SELECT r.organization_id, r.id FROM repositories r JOIN organizations o ON o.id = r.organization_id
    WHERE r.provider_repository_id = '501' AND o.provider_organization_id = '1001'`;
  const at = new Date(`2026-05-${String(day).padStart(2, '0')}T12:00:00Z`);
  await sql`
    INSERT INTO followed_findings (organization_id, repository_id, pull_request, finding_id, reviewer, source_kind, source_name,
      title, url, thread_id, posted_at, revision, path, side, start_line, end_line, names)
    SELECT organization_id, id, 7, ${findingId}, ${reviewer}, 'reviewer', 'x', 'A title', ${`https://host/${findingId}`}, 't', ${at},
      'r', 'src/a.ts', 'new', 3, 5, '{}' FROM (${repository}) AS r`;
  await sql`
    INSERT INTO finding_outcomes (organization_id, repository_id, subject, finding_id, accepted, signal, chance, pr_url, changed_at,
      is_reported)
    SELECT organization_id, id, 'pull/7', ${findingId}, true, 'suggestion_landed', 0.25, 'https://host/7', ${at}, true
    FROM (${repository}) AS r`;
  for (const [index, signal] of signals.entries())
    await sql`
      INSERT INTO finding_signals (organization_id, repository_id, subject, finding_id, digest, signal, source, at, evidence)
      SELECT organization_id, id, 'pull/7', ${findingId}, ${Buffer.from([index])}, ${signal}, 'host',
        ${new Date(at.getTime() + index)}, '{}' FROM (${repository}) AS r`;
}
await followed('own-1', null, 1);
await followed('github:1', 'CodeBot[bot]', 2, ['thread_resolved', 'suggestion_landed', 'suggestion_landed']);
await followed('github:2', 'CodeBot[bot]', 3, ['thread_resolved', 'thread_reopened']);

const list = (query = '', by = key) => server.get(`/v1/reviews/findings${query}`, by);
const idsOf = ({ json }: Awaited<ReturnType<typeof list>>) =>
  json.data.map((finding: { finding_id: string }) => finding.finding_id);

test('what is followed is listed with its outcome and evidence, the newest first', async () => {
  const answer = await list();
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(idsOf(answer), ['github:2', 'github:1', 'own-1']);
  assert.deepEqual(answer.json.data[1], {
    finding_id: 'github:1',
    reviewer: 'CodeBot[bot]',
    repository_id: '501',
    pull_request: 7,
    pr_url: 'https://host/7',
    path: 'src/a.ts',
    start_line: 3,
    end_line: 5,
    severity: null,
    category: null,
    url: 'https://host/github:1',
    state: 'resolved',
    accepted: true,
    chance: 0.25,
    signals: ['suggestion_landed', 'thread_resolved'],
  });
  assert.deepEqual([answer.json.data[0].state, answer.json.data[2].reviewer], ['open', 'postil']);
});

test('reviewer, repositories and days select, and a cursor goes on where the page ended', async () => {
  assert.deepEqual(idsOf(await list('?reviewer=postil')), ['own-1']);
  assert.deepEqual(idsOf(await list('?reviewer=codebot')), ['github:2', 'github:1']);
  assert.deepEqual(idsOf(await list('?reviewer=CodeBot%5Bbot%5D&end_date=2026-05-02')), ['github:1']);
  assert.deepEqual(idsOf(await list('?reviewer=nobody')), []);
  assert.deepEqual(idsOf(await list('?repository_ids=999999')), []);
  assert.deepEqual(idsOf(await list('?repository_ids=501&start_date=2026-05-03')), ['github:2']);
  const first = await list('?limit=2');
  assert.deepEqual(idsOf(await list(`?limit=2&cursor=${first.json.next_cursor}`)), ['own-1']);
});

test('other organizations see nothing of it, and a bad query changes nothing', async () => {
  assert.deepEqual(idsOf(await list('', foreign)), []);
  for (const query of ['?limit=0', '?start_date=2026-05-03&end_date=2026-05-01', '?state=open', '?cursor=x'])
    assert.equal((await list(query)).status, 400, query);
});

test('names of reviewers are compared whole and without case, whatever they contain; what is no name is refused', async () => {
  await followed('gitea:1', 'ÄBot 100%', 4);
  for (const name of ['ÄBot 100%', 'äbot 100%', 'ÄBOT 100%'])
    assert.deepEqual(idsOf(await list(`?reviewer=${encodeURIComponent(name)}`)), ['gitea:1'], name);
  for (const name of ['%', '_', 'ÄBot', 'ÄBot 100%[bot]', 'CodeBo_', 'Code%', '[bot]', "' OR true --"])
    assert.deepEqual(idsOf(await list(`?reviewer=${encodeURIComponent(name)}`)), [], name);
  for (const query of ['', '%00', 'a%00b', 'a&reviewer=b', 'a'.repeat(10_000)])
    assert.equal((await list(`?reviewer=${query}`)).status, 400, query.slice(0, 20));
});

test('a cursor goes on with the same filters only, for every key of the organization and for no other', async () => {
  const { next_cursor: cursor } = (await list('?reviewer=codebot&limit=1')).json;
  const also = await server.createKey({ ...sampleKeys.user, name: 'another' });
  for (const by of [key, also])
    assert.deepEqual(idsOf(await list(`?reviewer=codebot&limit=3&cursor=${cursor}`, by)), ['github:1']);
  for (const query of ['', '&reviewer=postil', '&reviewer=codebot&repository_ids=501'])
    assert.equal((await list(`?cursor=${cursor}${query}`)).status, 400, query);
  assert.equal((await list(`?reviewer=codebot&cursor=${cursor}`, foreign)).status, 400);
});
