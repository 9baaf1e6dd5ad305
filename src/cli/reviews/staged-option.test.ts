import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { childEnvironment } from '../../../test/child-environment.ts';
import { makeRepository } from '../../../test/git-repository.ts';

const main = path.join(import.meta.dirname, '../main.ts');

function review(folder: string, ...given: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'review', '--staged', ...given], {
    cwd: folder,
    env: childEnvironment,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const configuration = `checks:
  title: { pattern: "^feat" }
  commits: { no_fixup: true, mode: error }
  together: [{ name: docs, when: ["src/**"], require: ["docs/**"], mode: error }]
  coverage: { changed_lines: 80, mode: error }
`;
const faulty = 'export function load() {\n  try {\n    return 1;\n  } finally {\n    return 2;\n  }\n}\n';

test('staged changes are reviewed: only problems are printed, and nothing if there are none', async () => {
  const { folder, git, write } = await makeRepository({
    '.postil.yaml': configuration,
    'src/load.ts': 'export const one = 1;\n',
  });
  await write({ 'src/load.ts': 'export const two = 2;\n', 'docs/load.md': 'Two.\n' });
  await git('add', '.');
  await write({ 'src/load.ts': faulty });
  assert.deepEqual(review(folder), { status: 0, stdout: '', stderr: '' });

  await git('add', 'src');
  await git('rm', '--quiet', '--cached', 'docs/load.md');
  const failing = review(folder);
  assert.equal(
    failing.stdout,
    `src/load.ts:5  major  \`finally\` overrides the result  oxlint/no-unsafe-finally
    3 |     return 1;
    4 |   } finally {
  > 5 |     return 2;
    6 |   }
    7 | }
  Leaving the \`finally\` block here discards what was returned or thrown before.

docs  failed  src/load.ts changed, but nothing in docs/**.

1 finding in 1 changed file against HEAD.
`,
  );
  assert.deepEqual([failing.status, failing.stderr], [1, 'A check failed: docs\n']);
});

test('options that contradict --staged are incorrect usage', async () => {
  const { folder } = await makeRepository({ 'a.ts': 'export const one = 1;\n' });
  for (const [name, ...given] of [['--base', 'main'], ['--head', 'main'], ['--fix'], ['--repository', '1']])
    assert.deepEqual(review(folder, name!, ...given), {
      status: 2,
      stdout: '',
      stderr: `--staged compares the index with HEAD by rules alone, so it cannot be combined with ${name}\n`,
    });
});
