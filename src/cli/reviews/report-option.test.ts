import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { childEnvironment } from '../../../test/child-environment.ts';
import { makeRepository } from '../../../test/git-repository.ts';

const main = path.join(import.meta.dirname, '../main.ts');
const run = promisify(execFile);

async function review(folder: string, ...given: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [main, 'review', '--fail-on', 'none', ...given], {
    cwd: folder,
    env: childEnvironment,
  });
  return stdout;
}

async function changedRepository() {
  const repository = await makeRepository({
    'src/load.ts': 'export function load(name: string) {\n  return name;\n}\n',
    'src/use.ts': "import { load } from './load.ts';\n\nexport const used = load('x');\n",
  });
  await repository.git(
    'commit',
    '--quiet',
    '--allow-empty',
    '--message',
    'nothing',
    '--author=Bob <bob@acme.test>',
  );
  await repository.write({
    'src/load.ts': 'export function load(name: string, place: string) {\n  return name + place;\n}\n',
    'src/\u001b[31mred.md': 'text\n',
  });
  return repository;
}

test('--report prints the report in addition to the findings', async () => {
  const { folder, git } = await changedRepository();
  await git('config', 'user.email', 'eve@acme.test');
  const out = await review(folder, '--report');
  const report = out.slice(out.indexOf('Risk '));
  assert.equal(
    report,
    `Risk       medium: no test changed; a critical or major finding
Changed    src  2 files  +3 -2  changes load
Impact     load has different parameters: 1 use, 1 broken  src/load.ts:1
             src/use.ts:3
Reviewers  Ann wrote 100 % of the changed lines
`,
  );
});

test('if the output is not a terminal, text has no report unless requested, and JSON always has one', async () => {
  const { folder } = await changedRepository();
  assert.doesNotMatch(await review(folder), /^Risk/m);
  assert.doesNotMatch(await review(folder, '--no-report'), /^Risk/m);
  const { report } = JSON.parse(await review(folder, '--format', 'json', '--no-report'));
  assert.equal(report.risk.level, 'medium');
  assert.deepEqual(report.impact[0].references, [{ path: 'src/use.ts', line: 3, state: 'broken' }]);
  assert.deepEqual(
    ['total_impact', 'total_together', 'total_dependencies', 'total_preexisting'].map(
      (total) => report[total],
    ),
    [1, 0, 0, 0],
  );
  assert.doesNotMatch(JSON.stringify(report), /@acme\.test/);
});

test('the current user is not suggested as a reviewer, and nothing is reported if nothing changed', async () => {
  const { folder, git } = await changedRepository();
  await git('config', 'user.email', 'ann@acme.test');
  assert.doesNotMatch(await review(folder, '--report'), /Reviewers/);
  await git('stash', '--quiet', '--include-untracked');
  assert.doesNotMatch(await review(folder, '--report'), /Risk/);
});
