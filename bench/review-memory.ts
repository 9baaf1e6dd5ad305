// Measures the peak memory of `postil review` and its child processes for a change of 3,000 files: in a working copy, and in a
// bare repository such as a server's mirror. Linux only.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const fileCount = 3_000;
const functionsPerFile = 25;
const folder = await mkdtemp(path.join(tmpdir(), 'postil-bench-memory-'));
const git = (...given: string[]) =>
  run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...given], { cwd: folder });

const languages: Record<string, (index: number) => string> = {
  py: (index) =>
    `def total_${index}(items, factor=${index}):\n    """Adds up."""\n    result = 0\n    for item in items:\n        result += item * factor\n    return result\n\n\n`,
  ts: (index) =>
    `export function total${index}(items: readonly number[], factor = ${index}): number {\n  let sum = 0;\n  for (const item of items) sum += item * factor;\n  return sum;\n}\n\n`,
  sh: (index) => `step_${index}() {\n  echo "step ${index}" "$1"\n}\n`,
};

/** All descendants of a process, by the parent ids in /proc. */
async function familyOf(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = /\) \S (\d+)/.exec(stat)?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const family = [root];
  for (const member of family)
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  return family;
}

/** The memory of a process in MB: its own, plus its share of memory that is shared with others (PSS). */
async function megabytesOf(processId: number): Promise<number> {
  const text = await readFile(`/proc/${processId}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
}

async function write(version: number, extensions: readonly string[]): Promise<void> {
  for (let index = 0; index < fileCount; index += 1) {
    const extension = extensions[index % extensions.length]!;
    const parts = Array.from({ length: functionsPerFile }, (_, part) =>
      languages[extension]!(version * functionsPerFile + part),
    );
    await writeFile(path.join(folder, `part${index % 50}`, `file${index}.${extension}`), parts.join(''));
  }
}

const mirror = path.join(folder, 'mirror.git');

/** Creates the change, uncommitted or as a commit of a bare repository. */
async function prepare(extensions: readonly string[], isBare: boolean): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (let part = 0; part < 50; part += 1) await mkdir(path.join(folder, `part${part}`), { recursive: true });
  await git('init', '--quiet', '--initial-branch=main');
  await write(0, extensions);
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'first');
  await write(1, extensions);
  if (!isBare) return;
  await git('switch', '--quiet', '--create', 'topic');
  await git('commit', '--quiet', '--all', '-m', 'second');
  await git('clone', '--quiet', '--bare', '.', mirror);
}

async function measure(extensions: readonly string[], isBare = false): Promise<void> {
  const main = path.join(import.meta.dirname, '../src/cli/main.ts');
  await prepare(extensions, isBare);
  const compared = isBare ? ['--base', 'main', '--head', 'topic'] : [];
  const child = spawn(process.execPath, [main, 'review', '--format', 'json', ...compared], {
    cwd: isBare ? mirror : folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const answer = text(child.stdout);
  const ended = once(child, 'exit');
  let isRunning = true;
  void ended.then(() => {
    isRunning = false;
  });
  let [most, own] = [0, 0];
  while (isRunning) {
    const sizes = await Promise.all((await familyOf(child.pid!)).map(megabytesOf));
    own = Math.max(own, sizes[0]!);
    most = Math.max(
      most,
      sizes.reduce((sum, size) => sum + size, 0),
    );
    await sleep(50);
  }
  const [status] = (await ended) as [number];
  const covered = new Set(JSON.parse(await answer).coverage.map(({ path }: { path: string }) => path));
  const about = `${fileCount} files (${extensions.join(', ')}${isBare ? ', bare' : ''}), ${covered.size} in the coverage`;
  process.stdout.write(
    `${about}: ${Math.round(most)} MB together, ${Math.round(own)} MB the process itself, status ${status}\n`,
  );
}

try {
  await measure(['py']);
  await measure(['py', 'ts', 'sh']);
  await measure(['py', 'ts', 'sh'], true);
} finally {
  await rm(folder, { recursive: true, force: true });
}
