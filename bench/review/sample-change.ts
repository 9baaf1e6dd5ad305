import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('');
const typeScript = (index: number) =>
  `export function total${index}(items: readonly number[]): number {\n  let sum = 0;\n  for (const item of items) sum += item * ${index};\n  return sum;\n}\n\n`;
const python = (index: number) =>
  `def total_${index}(items):\n    """Adds up."""\n    return sum(item * ${index} for item in items)\n\n\n`;
const shell = (index: number) => `step_${index}() {\n  echo "step ${index}" "$1"\n}\n`;
const workflow = `on: push\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n${repeat(5, (index) => `      - run: make step${index}\n`)}`;
/** Contains a fault, so that there is something to report. */
const faulty = `export function load(name: string): string {\n  try {\n    return name;\n  } finally {\n    return '';\n  }\n}\n`;

/**
 * A change of 1,000 lines with one fault: 600 in TypeScript, 300 in Python, 100 in shell and a workflow. It differs for each
 * number.
 */
export function sampleChange(number: number): Record<string, string> {
  const parts = Array.from({ length: 5 }, (_, part) => [
    [`part${part}.ts`, repeat(20, (index) => typeScript(number * 1_000 + part * 20 + index))],
    [`part${part}.py`, repeat(12, (index) => python(number * 1_000 + part * 12 + index))],
  ]);
  return {
    ...Object.fromEntries(parts.flat()),
    'run.sh': `#!/bin/bash\n${repeat(29, shell)}`,
    '.github/workflows/ci.yml': workflow,
    'load.ts': faulty,
  };
}

/** Creates a repository with one commit in a folder of its own. */
export async function startRepository() {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-bench-review-'));
  async function git(...given: string[]): Promise<string> {
    const author = ['-c', 'user.name=Ann', '-c', 'user.email=ann@acme.test'];
    return (await run('git', [...author, ...given], { cwd: folder, maxBuffer: 2 ** 26 })).stdout.trim();
  }
  async function write(files: Record<string, string>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), content);
    }
  }
  await git('init', '--quiet', '--initial-branch=main');
  await write({ 'readme.md': 'A project.\n' });
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'first');
  return { folder, git, write, remove: () => rm(folder, { recursive: true, force: true }) };
}
