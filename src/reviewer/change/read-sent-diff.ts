import { siblingModule } from '../../lib/own-files.ts';
import { runInWorker } from '../process/run-in-worker.ts';
import type { Change } from './change.ts';
import { changeOfDiff, changeOfSections, type GivenFile } from './change-of-diff.ts';
import { DiffError, type FileSection } from './file-sections.ts';

export interface SentDiff {
  readonly diff: string;
  readonly files: readonly GivenFile[];
}

export type DiffRequest = SentDiff & { readonly checkOnly: boolean };
export type DiffResult =
  | { readonly count: number; readonly sections: readonly FileSection[] }
  | { readonly fault: string };

/** Shorter diffs are parsed on this thread, which is faster than starting a worker. */
const maxInlineLength = 16 * 1024;
const timeoutMs = 30_000;
const worker = siblingModule('diff-worker', import.meta.url);

/** Throws a DiffError if the diff cannot be read, contains no files, or does not match the files sent with it. */
export async function checkSentDiff(sent: SentDiff): Promise<void> {
  const count = isShort(sent)
    ? changeOfDiff(sent.diff, sent.files).files.length
    : (await parseInWorker({ ...sent, checkOnly: true }, new AbortController().signal)).count;
  if (count === 0) throw new DiffError('the diff contains no files');
}

/** Reads a submitted diff. A long one takes seconds to parse, so a worker does it while this thread serves other requests. */
export async function readSentDiff(sent: SentDiff, signal: AbortSignal): Promise<Change> {
  if (isShort(sent)) return changeOfDiff(sent.diff, sent.files);
  const { sections } = await parseInWorker({ ...sent, checkOnly: false }, signal);
  return changeOfSections(sections, sent.files);
}

function isShort({ diff, files }: SentDiff): boolean {
  return files.reduce((length, { content }) => length + content.length, diff.length) <= maxInlineLength;
}

async function parseInWorker(request: DiffRequest, signal: AbortSignal) {
  const signalWithTimeout = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const result = await runInWorker<DiffResult>(worker, request, signalWithTimeout).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new DiffError('reading it exceeds the time or memory limit for one diff', { cause: error });
  });
  if ('fault' in result) throw new DiffError(result.fault);
  return result;
}
