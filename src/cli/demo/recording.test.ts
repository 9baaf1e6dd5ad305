import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { removeFolder } from '../../../test/remove-folder.ts';
import { resolveConfiguration } from '../../reviewer/configuration/review-configuration.ts';
import { partsOf } from '../../reviewer/process/part.ts';
import { workHere } from '../../reviewer/process/run-here.ts';
import { openRepository, placeOf } from '../../reviewer/repository/repository.ts';
import { reviewChange } from '../../reviewer/review/review-change.ts';
import { allRuleSources } from '../../reviewer/rules/all-sources.ts';
import { readRecording, readStories } from './recording.ts';
import { makeBareRepository, makeRepository, storyEnd } from './story/make-repository.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'postil-story-'));
after(() => removeFolder(folder));
const searchPath = process.env.PATH;
const ids = { organization: 'o', repositories: { '601': 'r1', '602': 'r2', '603': 'r3' } };
const { tables, pulls } = await readRecording(storyEnd, ids);
const stories = await readStories();
const made = await Promise.all(
  stories.map(async (story) => {
    const repository = path.join(folder, `${story.name}.git`);
    await makeBareRepository(repository);
    return { story, repository, ...(await makeRepository(story, repository)) };
  }),
);
const long = { timeout: 600_000 };

test('the commits of the stories are those that were recorded', () => {
  for (const { story, pulls: written } of made)
    for (const { number, heads } of written) {
      const recorded = pulls.find(
        ({ repository, pull }) => repository === story.id && pull.number === number,
      );
      assert.equal(recorded?.pull.head.sha, heads.at(-1), `${story.name} ${number}: npm run record-demo`);
    }
});

/** Findings that a reviewer must always find; all others may change without a new recording. */
for (const [name, number, rules] of [
  ['storefront', 118, ['oxlint/use-isnan', 'oxlint/no-unsafe-finally']],
  ['gateway', 68, ['dataflow/path-traversal', 'dataflow/command-injection']],
] as const)
  test(`the reviewer still finds what was recorded for ${name} ${number}`, long, async () => {
    const { story, repository, pulls: written } = made.find((one) => one.story.name === name)!;
    const { base, heads } = written.find((one) => one.number === number)!;
    const head = heads[0]!;
    const opened = await openRepository(repository, { searchPath });
    const processes = workHere(async () => allRuleSources({ searchPath }));
    const signal = AbortSignal.timeout(600_000);
    try {
      const { status, reason, findings } = await reviewChange({
        change: { kind: 'commits', repository: placeOf(opened), base, head },
        configuration: resolveConfiguration(),
        own: { astGrepRules: [], searchPath },
        run: partsOf(processes, { group: 'test', signal }),
        signal,
      });
      assert.equal(status, 'succeeded', reason ?? '');
      const run = tables.review_runs.find(
        (row) => row.head_revision === head && row.repository_id === ids.repositories[story.id as '601'],
      )!;
      const recorded = tables.review_run_findings.filter(({ run_id }) => run_id === run.id);
      const wanted = (found: readonly string[] | null) => rules.some((rule) => found?.includes(rule));
      const said = findings
        .filter((finding) => wanted(finding.rules))
        .map(({ path: file, startLine }) => `${file}:${startLine}`);
      assert.equal(said.length, rules.length);
      assert.deepEqual(
        said.sort(),
        recorded
          .filter((row) => wanted(row.rules as string[] | null))
          .map((row) => `${row.path}:${row.start_line}`)
          .sort(),
      );
    } finally {
      await processes.stop();
      await opened.close();
    }
  });
