import { runInWorker } from '../run-in-worker.ts';
import type { Change } from './change.ts';
import { changeOfDiff, changeOfSections, type GivenFile } from './change-of-diff.ts';
import { DiffError, type FileSection } from './file-sections.ts';

export interface SentDiff {
  readonly diff: string;
  readonly files: readonly GivenFile[];
}

export type DiffQuestion = SentDiff & { readonly isOnlyChecked: boolean };
export type DiffAnswer =
  | { readonly count: number; readonly sections: readonly FileSection[] }
  | { readonly fault: string };

/** Shorter ones are read at once, which takes less than starting a thread. */
const maxLengthHere = 16 * 1024;
const timeoutMs = 30_000;
const worker = new URL('./diff-worker.ts', import.meta.url);

/** Throws a DiffError if the diff cannot be read, has no file, or the files do not fit it. */
export async function checkSentDiff(sent: SentDiff): Promise<void> {
  const count = isShort(sent)
    ? changeOfDiff(sent.diff, sent.files).files.length
    : (await askWorker({ ...sent, isOnlyChecked: true }, new AbortController().signal)).count;
  if (count === 0) throw new DiffError('there is no file in the diff');
}

/** Reads a diff that somebody sent. A long one takes seconds, in which the process must be able to serve others. */
export async function readSentDiff(sent: SentDiff, signal: AbortSignal): Promise<Change> {
  if (isShort(sent)) return changeOfDiff(sent.diff, sent.files);
  const { sections } = await askWorker({ ...sent, isOnlyChecked: false }, signal);
  return changeOfSections(sections, sent.files);
}

function isShort({ diff, files }: SentDiff): boolean {
  return files.reduce((length, { content }) => length + content.length, diff.length) <= maxLengthHere;
}

async function askWorker(question: DiffQuestion, signal: AbortSignal) {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const answer = await runInWorker<DiffAnswer>(worker, question, inTime).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new DiffError('it takes more time or memory than there is for one diff', { cause: error });
  });
  if ('fault' in answer) throw new DiffError(answer.fault);
  return answer;
}
