import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endedRun } from '../../../../test/ended-run.ts';
import { startTestApp } from '../../../../test/harness.ts';
import { member, organization, sampleKeys } from '../../../../test/sample-platform.ts';
import type { RelatedPlace } from '../../../reviewer/finding.ts';
import type { RuleSource } from '../../../reviewer/rule-source.ts';
import { describeFinding, security } from '../../../reviewer/rules/rule-facts.ts';

const token = `ghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}`;

const placesOf = (line: number): RelatedPlace[] =>
  Array.from({ length: 25 }, (_, index) => ({
    path: index === 0 ? `src/${token}.ts` : `src/${line}/${index}.ts`,
    startLine: index + 1,
    endLine: index + 2,
    text: index === 1 ? `is called with ${token}` : `calls it, ${index}`,
  }));

/** Finds every line with WEAK in it, and many places that belong to it. */
const weakLines: RuleSource = {
  name: 'weak',
  covers: () => true,
  find: async (files) =>
    files.map(({ text }) =>
      text.split('\n').flatMap((line, index) => {
        if (!line.includes('WEAK')) return [];
        const said = describeFinding(['major', security, 'Weak', 'It is weak.', 'CWE-95'], '');
        const place = { startLine: index + 1, endLine: index + 1 };
        return [{ ...said, ...place, rule: 'weak/line', related: placesOf(index + 1) }];
      }),
    ),
  remark: async () => 'the tool is old',
};

const server = await startTestApp({ ruleSources: async () => [weakLines] });
await server.queue.startWorkers();
const own = organization({ members: [member('9001', { role: 'cr_admin', seat: true })] });
await server.platform({ organizations: [own] });
const key = await server.createKey({ ...sampleKeys.user, org_id: own.provider_organization_id });
const long = { timeout: 600_000 };

async function review(lines: readonly string[]) {
  const diff = `--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
  const answer = await server.call('POST', '/v1/reviews', { key, body: { repository_id: '501', diff } });
  assert.equal(answer.status, 202, answer.text);
  return endedRun(server, answer.json.id, key);
}

test(
  'every finding of a large run is shown with what it rests on, and no credential in it',
  long,
  async () => {
    const run = await review(Array.from({ length: 200 }, (_, index) => `WEAK(${index});`));
    assert.equal(run.findings.length, 200);
    for (const { start_line: line, related, confidence, rules, cwe, source } of run.findings) {
      assert.deepEqual(
        { confidence, rules, cwe, source },
        {
          confidence: 'proven',
          rules: ['weak/line'],
          cwe: 'CWE-95',
          source: { kind: 'rule', name: 'weak/line' },
        },
      );
      assert.equal(related.length, 20);
      assert.deepEqual(related[2], {
        path: `src/${line}/2.ts`,
        start_line: 3,
        end_line: 4,
        text: 'calls it, 2',
      });
      assert.deepEqual(related[0].path, 'src/[REDACTED].ts');
      assert.deepEqual(related[1].text, 'is called with [REDACTED]');
    }
    const [stored] = await server.database.sql`
    SELECT count(*)::int AS count FROM review_run_findings WHERE related::text LIKE ${`%${token}%`}`;
    assert.equal(stored!.count, 0);
    const judged = await server.call(
      'PATCH',
      `/v1/reviews/${run.id}/findings/${run.findings[0].finding_id}`,
      {
        key,
        body: { accepted: true },
      },
    );
    assert.deepEqual(judged.json, { ...run.findings[0], accepted: true });
  },
);

test('a run says in sentences what its reader should know, alone and in the list', long, async () => {
  const run = await review(['WEAK();']);
  assert.deepEqual(run.notes, ['The tool is old.']);
  const { json } = await server.get('/v1/reviews', key);
  const listed = json.data.find(({ id }: { id: string }) => id === run.id);
  assert.deepEqual(listed.notes, ['The tool is old.']);
});

test('findings that a node of an earlier version stored rest on their source alone', long, async () => {
  const run = await review(['WEAK();', 'WEAK();']);
  const [first, second] = run.findings;
  const { sql } = server.database;
  await sql`
    UPDATE review_run_findings SET related = DEFAULT, confidence = NULL, rules = NULL, cwe = NULL WHERE run_id = ${run.id}`;
  await sql`
    UPDATE review_run_findings SET source_kind = 'model', source_name = 'm'
    WHERE run_id = ${run.id} AND finding_id = ${second.finding_id}`;
  const { json } = await server.get(`/v1/reviews/${run.id}`, key);
  const unknown = { related: [], cwe: null };
  assert.deepEqual(json.findings, [
    { ...first, ...unknown },
    { ...second, ...unknown, confidence: 'likely', rules: [], source: { kind: 'model', name: 'm' } },
  ]);
});
