import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError } from '../lib/app-error.ts';
import { concurrencyLimit } from '../lib/concurrency/concurrency-limit.ts';
import { siblingModule } from '../lib/own-files.ts';
import { checkJsonSize, type JsonLimits } from '../lib/wire/parse-json.ts';
import { OutboundError } from './outbound-error.ts';

/** Above this, parsing takes longer than other requests should wait. */
const largeBytes = 1024 * 1024;
const threadTimeoutMs = 60_000;
/** Limited, because each thread holds an answer and its parsed value in memory. */
const limitThreads = concurrencyLimit(2);

async function parseInThread(body: Buffer): Promise<unknown> {
  const worker = new Worker(siblingModule('parse-thread', import.meta.url), {
    workerData: body,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  try {
    // `once` also rejects with the error that ends the thread.
    const [value] = await once(worker, 'message', { signal: AbortSignal.timeout(threadTimeoutMs) });
    return value;
  } finally {
    await worker.terminate();
  }
}

function checkSize(body: Buffer, host: string, limits: JsonLimits): void {
  try {
    checkJsonSize(body, limits);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new OutboundError('too_large', `${host} sent an answer that cannot be used: ${error.message}`);
  }
}

/**
 * Parses the JSON answer of another system. Its depth and number of entries are checked first, since they determine the time and
 * memory that parsing takes; a large answer is parsed in a separate thread. Throws a SyntaxError for invalid JSON.
 */
export async function parseAnswer(body: Buffer, host: string, limits: JsonLimits): Promise<unknown> {
  checkSize(body, host, limits);
  return body.length > largeBytes ? limitThreads(() => parseInThread(body)) : JSON.parse(body.toString());
}
