import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Mutant } from './mutant.ts';
import type { WorkingCopy } from './working-copy.ts';

/** The tests to run. */
export type Nearby = Pick<Mutant, 'tests' | 'named'>;

/** The result of the tests; `test` is the first that failed. */
export type Verdict =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed'; readonly test: string }
  | { readonly outcome: 'hung' };

/** The timeout, far longer than the slowest of these files takes on a busy machine. */
const limitMs = 20 * 60_000;

/** Runs tests in a copy of the project until one fails. */
export async function runNearby(
  { root, temporary }: WorkingCopy,
  { tests, named }: Nearby,
  signal: AbortSignal,
): Promise<Verdict> {
  signal.throwIfAborted();
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-concurrency=1',
      '--test-reporter=tap',
      ...(named ?? []).map((name) => `--test-name-pattern=${RegExp.escape(name)}`),
      ...tests,
    ],
    {
      cwd: root,
      // A separate process group, so that all processes that the tests have started can be killed.
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        ...process.env,
        TMPDIR: temporary,
        NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/postil-tests'),
      },
    },
  );
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const end = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch (error) {
      // The whole group has already ended.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  const limit = AbortSignal.timeout(limitMs);
  const stop = AbortSignal.any([signal, limit]);
  stop.addEventListener('abort', end);
  try {
    let isAnyRun = false;
    for await (const line of createInterface(child.stdout)) {
      const [, fault, test] = /^\s*(not )?ok \d+ - (.*)/.exec(line) ?? [];
      if (fault !== undefined) return { outcome: 'failed', test: test! };
      // A file without a test of the name is itself reported as a test.
      isAnyRun ||= test !== undefined && !tests.includes(test);
    }
    const [code] = await exited;
    signal.throwIfAborted();
    if (limit.aborted) return { outcome: 'hung' };
    if (code !== 0) return { outcome: 'failed', test: `exit code ${code}` };
    return isAnyRun ? { outcome: 'passed' } : { outcome: 'failed', test: 'there is none of this name' };
  } finally {
    stop.removeEventListener('abort', end);
    end();
    await exited;
  }
}
