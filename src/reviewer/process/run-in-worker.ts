import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Runs a tool that would otherwise block the process, in a thread that ends with the signal whatever it is doing. */
export async function runInWorker<Result>(file: URL, data: unknown, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const worker = new Worker(file, {
    workerData: data,
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  const exited = once(worker, 'exit').then(() => {
    throw new Error('the tool ended without an answer');
  });
  exited.catch(() => {});
  try {
    const [result] = (await Promise.race([once(worker, 'message', { signal }), exited])) as [Result];
    return result;
  } finally {
    await worker.terminate();
  }
}
