import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * WebAssembly is compiled once and not optimized any further: for tools that run for a second, optimizing costs five times
 * their time and memory. That can be set for a whole process only.
 */
const flags = ['--liftoff-only', '--max-old-space-size=256', '--disable-warning=ExperimentalWarning'];

/** Runs a tool in a process of its own, which returns its memory and ends with the signal whatever it is doing. */
export async function runInProcess<Result>(file: URL, data: unknown, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const child = fork(fileURLToPath(file), {
    env: {},
    execArgv: flags,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  });
  const failed = Promise.race([
    once(child, 'exit').then(() => new Error('the tool ended without an answer')),
    once(child, 'error').then(([error]) => error as Error),
  ]).then((error) => {
    throw error;
  });
  failed.catch(() => {});
  try {
    child.send(data as object);
    const [result] = (await Promise.race([once(child, 'message', { signal }), failed])) as [Result];
    return result;
  } finally {
    child.kill('SIGKILL');
  }
}

/** In such a process: answers the one request, and ends when nobody waits for the answer any more. */
export function answerOnce<Data, Result>(work: (data: Data) => Result | Promise<Result>): void {
  process.once('disconnect', () => process.exit());
  process.once('message', async (data) => {
    process.send!(await work(data as Data));
  });
}
