import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startReviewingApp } from '../../../../test/hosts/reviewing-app.ts';
import { storeFindings } from '../../../../test/posted-findings.ts';
import { isSample } from '../../../reviewer/judge/attention.ts';

const { app, forge, reviews, addRepository, deliverAll, adaKey } = await startReviewingApp();
const key = await adaKey();
const { sql } = app.database;
beforeEach(() => app.resetLimits());

const long = { timeout: 600_000 };
const quietRule = 'oxlint/no-unsafe-finally';
const grave = 'ast_grep/no-danger';
const unsafe = (name: string) =>
  `export function ${name}(value: string): string {\n  try {\n    return value.trim();\n  } finally {\n    return '';\n  }\n}\n`;

const [found] = await sql`
  SELECT organization_id AS id FROM connection_organizations WHERE organization_id IN (
    SELECT id FROM organizations WHERE provider_organization_id = ${String(forge.acme.id)})`;
const organizationId: string = found!.id;
const ownRule =
  'id: no-danger\nlanguage: ts\nrule:\n  pattern: danger($$$A)\nmessage: Never.\nmetadata:\n  severity: critical\n';
await sql`
  INSERT INTO review_settings (organization_id, other_reviewers, ast_grep_rules, allow_mcp_for_forks, defaults, updated_at)
  VALUES (${organizationId}, '{}', ${[ownRule]}, false, '{}', now())
  ON CONFLICT (organization_id) DO UPDATE SET ast_grep_rules = excluded.ast_grep_rules`;

/** A repository whose people have rejected everything that both rules raised. */
async function weary() {
  const git = await addRepository();
  const [row] = await sql`
    SELECT id FROM repositories WHERE organization_id = ${organizationId} AND provider_repository_id = ${String(git.repository.id)}`;
  const outcomes = Array.from({ length: 30 }, (_, index) => ({
    id: `old-${index}`,
    pull: 9001 + (index % 3),
    rules: [index % 2 === 0 ? quietRule : grave],
    accepted: false,
  }));
  const more = outcomes.map((finding) => ({ ...finding, id: `${finding.id}-more` }));
  await storeFindings(sql, { organizationId, repositoryId: row!.id }, [...outcomes, ...more]);
  return git;
}

interface Shown {
  finding_id: string;
  url: string | null;
  source: { name: string };
}

async function newestRun(pull: { repository: { id: number }; number: number }) {
  const { json } = await app.get(`/v1/reviews?repository_ids=${pull.repository.id}&limit=1`, key);
  return (await app.get(`/v1/reviews/${json.data[0].id}`, key)).json as {
    findings: Shown[];
    notes: string[];
    report: { quiet: { finding_id: string; reason: string }[] };
  };
}
const setRule = (setting: string) =>
  sql`UPDATE review_rules SET setting = ${setting} WHERE organization_id = ${organizationId} AND rule = ${quietRule}`;

test(
  'of a quiet rule one in ten is posted and the rest is in the report; what is critical is always posted',
  long,
  async () => {
    const git = await weary();
    await git.git('checkout', '--quiet', '-b', 'topic');
    const names = Array.from({ length: 40 }, (_, index) => `load${index}`);
    await git.commit({
      ...Object.fromEntries(names.map((name) => [`src/${name}.ts`, unsafe(name)])),
      'src/danger.ts': 'export const made = danger(1);\n',
    });
    const pull = await git.open(forge.ada, 'topic');
    await deliverAll();
    const { findings, report, notes } = await newestRun(pull);
    const [sample, silent] = Object.entries(
      Object.groupBy(findings, ({ finding_id, source }) =>
        String(source.name !== quietRule || isSample(finding_id)),
      ),
    )
      .toSorted(([a]) => (a === 'true' ? -1 : 1))
      .map(([, group]) => group!);
    assert.equal(findings.length, 41);
    assert.ok(sample!.length > 1 && sample!.length < 12, `${sample!.length}`);
    assert.equal(sample!.filter(({ source }) => source.name === grave).length, 1);
    for (const { url } of sample!) assert.ok(url);
    for (const { url } of silent!) assert.equal(url, null);
    assert.deepEqual(
      report.quiet.toSorted((a, b) => (a.finding_id < b.finding_id ? -1 : 1)),
      silent!
        .map(({ finding_id }) => ({ finding_id, reason: 'rule_not_accepted' }))
        .toSorted((a, b) => (a.finding_id < b.finding_id ? -1 : 1)),
    );
    const shown = reviews.pull(pull.repository, pull.number);
    assert.equal(shown.threads.length, sample!.length);
    assert.match(notes.join(), new RegExp(`${silent!.length} findings are not posted`));
    assert.doesNotMatch(shown.conversation[0]!.body, /More findings/);
  },
);

test(
  'what is quiet counts neither for the status nor for the room; pinned, it is posted, and off, it is not raised',
  long,
  async () => {
    const git = await weary();
    await git.git('checkout', '--quiet', '-b', 'topic');
    await git.commit({ 'src/load.ts': unsafe('load') });
    const pull = await git.open(forge.ada, 'topic');
    await deliverAll();
    const first = await newestRun(pull);
    // By its id, which follows from what is above.
    assert.equal(isSample(first.findings[0]!.finding_id), false);
    const shown = () => reviews.pull(pull.repository, pull.number);
    assert.equal(shown().threads.length, 0);
    assert.deepEqual(
      shown()
        .statuses.map(({ state, title }) => [state, title])
        .at(-1),
      ['success', 'No findings'],
    );

    await setRule('pinned');
    await git.commit({ 'src/other.ts': 'export const other = 1;\n' });
    await git.push(pull, 'topic');
    await deliverAll();
    assert.deepEqual((await newestRun(pull)).report.quiet, []);
    assert.equal(shown().threads.length, 1);
    assert.equal(shown().statuses.at(-1)!.state, 'warning');

    await setRule('automatic');
    await git.commit({ 'src/other.ts': 'export const other = 2;\n' });
    await git.push(pull, 'topic');
    await deliverAll();
    const stays = await newestRun(pull);
    assert.deepEqual(stays.report.quiet, [], 'what was posted stays');
    assert.equal(shown().statuses.at(-1)!.state, 'warning');

    await setRule('off');
    await git.commit({ 'src/load.ts': `// again\n${unsafe('load')}` });
    await git.push(pull, 'topic');
    await deliverAll();
    assert.deepEqual((await newestRun(pull)).findings, []);
    const [row] = await sql`
    SELECT state, accepted FROM review_findings WHERE organization_id = ${organizationId} AND finding_id = ${first.findings[0]!.finding_id}`;
    assert.deepEqual({ ...row }, { state: 'outdated', accepted: null }, 'nobody fixed it');
  },
);
