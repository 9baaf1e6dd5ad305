import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildDashboard } from './dashboard/build-dashboard.ts';
import { filesInOrder } from './runner/file-order.ts';
import { type FileQueue, findUnfinished } from './runner/file-queue.ts';
import { openRunFolder } from './runner/run-folder.ts';
import { DURATIONS_VARIABLE } from './runner/slowest-files.ts';
import { startTestPostgres, TEST_DATABASE_VARIABLE } from './template-database.ts';

const root = path.dirname(import.meta.dirname);
const runner = path.join(import.meta.dirname, 'runner');
const TOGETHER = '--together';
/** Three per processor of a small machine, since tests mostly wait for PostgreSQL, browsers and timers. */
const PROCESSES = 6;

/**
 * Runs the tests against one PostgreSQL, which is started for them unless TEST_DATABASE_URL is set. Arguments are the files to
 * run, each in a separate process, or in one process with `--together`; without files, all are run, several per process. Other
 * options are those of `node --test`.
 */
async function runTests(given: string[]): Promise<number> {
  const files = given.filter((argument) => !argument.startsWith('-'));
  const options = given.filter((argument) => argument.startsWith('-') && argument !== TOGETHER);
  // Otherwise every server in a test would build it, and browser tests would overwrite each other's build.
  if (files.length === 0) await buildDashboard();
  const folder = await openRunFolder();
  // All temporary files of tests are in the folder of the run, which is removed.
  process.env.TMPDIR = folder.path;
  try {
    const queue: FileQueue | undefined =
      files.length === 0 || given.includes(TOGETHER)
        ? { files: files.length === 0 ? filesInOrder(root) : files, taken: path.join(folder.path, 'taken') }
        : undefined;
    const entries =
      queue === undefined ? files : await writeEntries(queue, files.length === 0 ? PROCESSES : 1);
    const postgres = await startTestPostgres();
    try {
      const exitCode = await runNode([...options, ...entries], {
        // Every test process and server loads the whole program, which takes half the time with a compile cache.
        NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/postil-tests'),
        [DURATIONS_VARIABLE]: path.join(folder.path, 'durations'),
        ...process.env,
        [TEST_DATABASE_VARIABLE]: JSON.stringify(postgres.target),
      });
      const unfinished = queue === undefined ? [] : findUnfinished(queue);
      if (unfinished.length === 0) return exitCode;
      process.stderr.write(`These test files did not run to their end:\n${unfinished.join('\n')}\n`);
      return exitCode || 1;
    } finally {
      await postgres.stop();
    }
  } finally {
    await folder.remove();
  }
}

/**
 * Writes `count` entry programs that share the files: each takes the next file until none is left. Loading our program takes
 * longer than running many of the files, and code gets faster the longer it runs.
 */
async function writeEntries(queue: FileQueue, count: number): Promise<string[]> {
  await mkdir(queue.taken);
  const [context, runFiles] = ['cheap-test-context.ts', 'run-files.ts'].map(
    (name) => pathToFileURL(path.join(runner, name)).href,
  );
  const program = `import '${context}';\nconst { runFiles } = await import('${runFiles}');\nawait runFiles(${JSON.stringify(queue)});\n`;
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const entry = path.join(path.dirname(queue.taken), `tests-${index}.mjs`);
      await writeFile(entry, program);
      return entry;
    }),
  );
}

async function runNode(given: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const tests = spawn(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${PROCESSES}`,
      `--test-reporter=${path.join(runner, 'reporter.ts')}`,
      // Also applies to all files of a process together, which take long on a machine with few processors.
      '--test-timeout=4800000',
      ...given,
    ],
    { cwd: root, stdio: 'inherit', env },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => tests.kill(signal));
  }
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code ?? 1;
}

process.exitCode = await runTests(process.argv.slice(2));
