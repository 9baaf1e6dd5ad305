import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { childEnvironment } from '../../../test/child-environment.ts';
import { makeRepository } from '../../../test/git-repository.ts';

const main = path.join(import.meta.dirname, '../main.ts');

function review(folder: string, ...given: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'review', ...given], {
    cwd: folder,
    env: childEnvironment,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const configuration = `checks:
  title: { pattern: "^feat" }
  commits: { no_fixup: true, mode: error }
  together: [{ name: docs, when: ["src/**"], require: ["docs/**"], mode: warning }]
  coverage: { changed_lines: 80, mode: error }
`;

test('checks of the base are evaluated in a working copy; an enforced check that fails gives exit code 1', async () => {
  const { folder, git, write, commit } = await makeRepository({
    '.postil.yaml': configuration,
    'src/load.ts': 'export const one = 1;\n',
  });
  await git('checkout', '--quiet', '-b', 'topic');
  await commit({ 'src/load.ts': 'export const one = 1;\nexport const two = 2;\nexport const three = 3;\n' });
  await write({ 'lcov.info': `SF:${folder}/src/load.ts\nDA:1,1\nDA:2,1\nDA:3,0\nend_of_record\n` });
  const failing = review(folder, '--coverage', 'lcov.info');
  assert.equal(
    failing.stdout.slice(0, failing.stdout.indexOf('\n\n')),
    [
      'title     skipped  Only a pull request has a title.',
      'commits   passed  1 commit.',
      'docs      failed (warning)  src/load.ts changed, but nothing in docs/**.',
      'coverage  failed  Tests run 50 % of the executable added lines (2 lines), 80 % required: src/load.ts (1 not run).',
    ].join('\n'),
  );
  assert.deepEqual([failing.status, failing.stderr], [1, 'A check failed: coverage\n']);

  const onGitHub = review(folder, '--coverage', 'lcov.info', '--format', 'github');
  assert.deepEqual(
    onGitHub.stdout.split('\n').filter((line) => line.includes('title=Check')),
    [
      '::warning title=Check docs%3A failed::src/load.ts changed, but nothing in docs/**.',
      '::error title=Check coverage%3A failed::Tests run 50 %25 of the executable added lines (2 lines), 80 %25 required: src/load.ts (1 not run).',
    ],
  );

  const unknown = review(folder, '--format', 'json');
  assert.equal(unknown.status, 0);
  assert.deepEqual(JSON.parse(unknown.stdout).report.checks.at(-1), {
    name: 'coverage',
    mode: 'error',
    verdict: 'inconclusive',
    text: 'There is no coverage report for this version.',
  });

  await write({ 'odd.txt': 'no report' });
  const odd = review(folder, '--coverage', 'odd.txt');
  assert.deepEqual(
    [odd.status, odd.stderr],
    [2, 'odd.txt is no coverage report; known are LCOV, Cobertura, JaCoCo and Go\n'],
  );
});
