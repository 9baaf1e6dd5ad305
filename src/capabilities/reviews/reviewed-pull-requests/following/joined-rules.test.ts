import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReviewingApp } from '../../../../../test/hosts/reviewing-app.ts';
import type { Severity } from '../../../../reviewer/finding-vocabulary.ts';
import type { RuleSource } from '../../../../reviewer/rule-source.ts';
import { describeFinding, security } from '../../../../reviewer/rules/rule-facts.ts';

/** The active rules; each finds every line that contains WEAK. */
let active: Readonly<Record<string, Severity>> = {};
const source: RuleSource = {
  name: 'weak',
  covers: () => true,
  find: async (files) =>
    files.map(({ text }) =>
      text.split('\n').flatMap((line, index) =>
        line.includes('WEAK')
          ? Object.entries(active).map(([rule, severity]) => ({
              ...describeFinding([severity, security, rule, 'It is weak.', 'CWE-95'], ''),
              rule,
              startLine: index + 1,
              endLine: index + 1,
            }))
          : [],
      ),
    ),
};

const { app, forge, reviews, addRepository, deliverAll, adaKey } = await startReviewingApp({
  ruleSources: async () => [source],
});
const key = await adaKey();

test('a finding keeps its identity and its one comment, whatever rules join it or leave it', {
  timeout: 600_000,
}, async () => {
  const git = await addRepository({});
  await git.git('checkout', '--quiet', '-b', 'topic');
  let pushes = 0;
  let pull: Awaited<ReturnType<typeof git.open>> | undefined;
  /** Pushes something, and says how the newest run and the host see the finding. */
  const review = async (rules: Readonly<Record<string, Severity>>) => {
    active = rules;
    pushes += 1;
    await git.commit({ 'src/a.ts': `WEAK();\n${'more();\n'.repeat(pushes)}` });
    if (pull === undefined) pull = await git.open(forge.ada, 'topic');
    else await git.push(pull, 'topic');
    await deliverAll();
    const { json } = await app.get(`/v1/reviews?repository_ids=${pull.repository.id}&limit=1`, key);
    const { findings } = (await app.get(`/v1/reviews/${json.data[0].id}`, key)).json;
    const { threads } = reviews.pull(pull.repository, pull.number);
    return { findings, comments: threads.length };
  };
  const first = await review({ 'patterns/code-from-text': 'minor' });
  assert.equal(first.findings.length, 1);
  const [{ finding_id: id }] = first.findings;
  const seen = ({ findings, comments }: Awaited<ReturnType<typeof review>>) => [
    comments,
    ...findings.map((finding: Record<string, unknown>) => [
      finding.finding_id === id,
      finding.severity,
      (finding.source as { name: string }).name,
      finding.rules,
    ]),
  ];
  const both = { 'oxlint/no-eval': 'major', 'patterns/code-from-text': 'minor' } as const;
  assert.deepEqual(seen(await review(both)), [
    1,
    [true, 'major', 'patterns/code-from-text', ['patterns/code-from-text', 'oxlint/no-eval']],
  ]);
  assert.deepEqual(seen(await review({ 'oxlint/no-eval': 'major' })), [
    1,
    [true, 'major', 'oxlint/no-eval', ['oxlint/no-eval']],
  ]);
  assert.deepEqual(seen(await review(both)), [
    1,
    [true, 'major', 'oxlint/no-eval', ['oxlint/no-eval', 'patterns/code-from-text']],
  ]);
  assert.deepEqual(seen(await review({})), [1]);
});
