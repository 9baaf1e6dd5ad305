import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { buildDashboard } from './dashboard/build-dashboard.ts';
import { startTestPostgres, TEST_DATABASE_VARIABLE } from './template-database.ts';

const root = path.dirname(import.meta.dirname);

/**
 * Runs the tests against one PostgreSQL that is started for them, or the one in TEST_DATABASE_URL.
 * Arguments name the files to run, or are options of `node --test`; without files, all are run.
 */
async function runTests(given: string[]): Promise<number> {
  const files = given.filter((argument) => !argument.startsWith('-'));
  const options = given.filter((argument) => argument.startsWith('-'));
  // Else every server that a test starts would begin to build it, and those of the browser tests replace it for each other.
  if (files.length === 0) await buildDashboard();
  const postgres = await startTestPostgres();
  try {
    const tests = spawn(
      process.execPath,
      [
        '--test',
        // Tests also wait: one more than the processors of a small machine.
        '--test-concurrency=3',
        '--test-reporter=spec',
        // Of a whole file too: on a machine that is short of processors the longest take many minutes.
        '--test-timeout=1800000',
        ...options,
        ...(files.length > 0 ? files : ['src/**/*.test.ts', 'dashboard/**/*.test.ts', 'test/**/*.test.ts']),
      ],
      {
        cwd: root,
        stdio: 'inherit',
        env: {
          // Every test file and every server it starts loads the whole program: compiled once, it loads in half the time.
          NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/postil-tests'),
          ...process.env,
          [TEST_DATABASE_VARIABLE]: JSON.stringify(postgres.target),
        },
      },
    );
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => tests.kill(signal));
    }
    const [code] = (await once(tests, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    await postgres.stop();
  }
}

process.exitCode = await runTests(process.argv.slice(2));
