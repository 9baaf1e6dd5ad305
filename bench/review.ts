// How long `postil review` takes over a change of 1,000 lines: 600 in TypeScript, 300 in Python, 100 in shell and a workflow.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { reviewWorkingCopy } from '../src/cli/reviews/review-working-copy.ts';

const run = promisify(execFile);
const rounds = 7;
const folder = await mkdtemp(path.join(tmpdir(), 'postil-bench-review-'));
const git = (...given: string[]) =>
  run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...given], { cwd: folder });

const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('');
const typeScript = (index: number) =>
  `export function total${index}(items: readonly number[]): number {\n  let sum = 0;\n  for (const item of items) sum += item * ${index};\n  return sum;\n}\n\n`;
const python = (index: number) =>
  `def total_${index}(items):\n    """Adds up."""\n    return sum(item * ${index} for item in items)\n\n\n`;
const shell = (index: number) => `step_${index}() {\n  echo "step ${index}" "$1"\n}\n`;
const workflow = `on: push\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n${repeat(5, (index) => `      - run: make step${index}\n`)}`;

try {
  await git('init', '--quiet', '--initial-branch=main');
  await mkdir(path.join(folder, '.github/workflows'), { recursive: true });
  await writeFile(path.join(folder, 'readme.md'), 'A project.\n');
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'first');
  for (let part = 0; part < 5; part += 1) {
    await writeFile(
      path.join(folder, `part${part}.ts`),
      repeat(20, (index) => typeScript(part * 20 + index)),
    );
    await writeFile(
      path.join(folder, `part${part}.py`),
      repeat(12, (index) => python(part * 12 + index)),
    );
  }
  await writeFile(path.join(folder, 'run.sh'), `#!/bin/bash\n${repeat(29, shell)}`);
  await writeFile(path.join(folder, '.github/workflows/ci.yml'), workflow);

  const main = path.join(import.meta.dirname, '../src/cli/main.ts');
  const whole: number[] = [];
  const inside: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    await run(process.execPath, [main, 'review'], { cwd: folder });
    whole.push(performance.now() - started);
    const begun = performance.now();
    const local = await reviewWorkingCopy({
      folder,
      searchPath: process.env.PATH,
      base: undefined,
      head: undefined,
      paths: [],
      configuration: undefined,
      onProgress: () => {},
    });
    inside.push(performance.now() - begun);
    await local.close();
  }
  const median = (times: number[]) =>
    `${(times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]! / 1000).toFixed(2)} s`;
  process.stdout.write(
    `the command from start to end: ${median(whole)}\nthe review itself: ${median(inside)}\n`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
