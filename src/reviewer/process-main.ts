import { flushCompileCache } from 'node:module';
import { Worker } from 'node:worker_threads';
import { keepCompiledCode } from '../lib/own-files.ts';
import type { Workplace } from './process/part.ts';
import type { ToParent, ToProcess } from './process/review-process.ts';

// The main module of a review process: it does one part of work after the other for its parent process, and ends with it.

keepCompiledCode();

/** Kills the whole process group, which includes everything that this process started. */
function end(): never {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } finally {
    process.exit();
  }
}

// A thread that ends the process after its parent, even if the main thread is too busy to notice the disconnect.
const { pid, ppid } = process;
new Worker(`setInterval(() => { if (process.ppid !== ${ppid}) process.kill(-${pid}, 'SIGKILL'); }, 1000)`, {
  eval: true,
  env: {},
  execArgv: [],
}).unref();

const send = (message: ToParent) => process.send!(message);
process.once('disconnect', end);

const [{ ChangeCache }, { sendError }] = await Promise.all([
  import('./process/change-cache.ts'),
  import('./process/part-failure.ts'),
]);
const cache = new ChangeCache();
const stopped = new AbortController();
let deadline = new AbortController();

async function work(module: string, request: unknown): Promise<void> {
  deadline = new AbortController();
  const place: Omit<Workplace, 'openChange'> = {
    signal: stopped.signal,
    deadline: deadline.signal,
    async ruleSources(astGrepRules, searchPath) {
      const { allRuleSources } = await import('./rules/all-sources.ts');
      return allRuleSources({ searchPath, astGrepRules });
    },
    report: (progress) => send({ kind: 'progress', progress }),
    retire: () => send({ kind: 'retired' }),
  };
  try {
    const part = await import(module);
    const result = await cache.serve((openChange) => part.work(request, { ...place, openChange }));
    // Writes the compile cache now, because this process will be killed. Cached entries are not written again.
    flushCompileCache();
    send({ kind: 'result', result });
  } catch (error) {
    send({ kind: 'error', error: sendError(error) });
  }
}

process.on('message', (message: ToProcess) => {
  if (message.kind === 'deadline') deadline.abort();
  else void work(message.module, message.request);
});
