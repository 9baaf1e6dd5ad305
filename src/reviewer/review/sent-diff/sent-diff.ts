import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ChangeSource, SentDiff } from '../../change/change-source.ts';
import { DiffError } from '../../change/file-sections.ts';
import { type PartRunner, partAt } from '../../process/part.ts';
import { PartEnded } from '../../process/part-failure.ts';

const checkPart = partAt<typeof import('./check-diff-part.ts')>('check-diff-part', import.meta.url);

/** Throws a DiffError if the diff cannot be read, contains no files, or does not match the files sent with it. */
export async function checkSentDiff(
  processes: PartRunner,
  group: string,
  { diff, files }: SentDiff,
): Promise<void> {
  const order = { group, signal: new AbortController().signal, isUrgent: true };
  const count = await processes.run(checkPart, { diff, files }, order).catch((error: unknown) => {
    if (!(error instanceof PartEnded)) throw error;
    throw new DiffError('reading it exceeds the time or memory limit for one diff', { cause: error });
  });
  if (count === 0) throw new DiffError('the diff contains no files');
}

/** Writes a sent diff to a file that any process can read, for as long as `work` runs. */
export async function withSentDiff<Result>(
  { diff, files }: SentDiff,
  work: (change: Extract<ChangeSource, { readonly kind: 'diff' }>) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-sent-'));
  try {
    const file = path.join(folder, 'sent.json');
    await writeFile(file, JSON.stringify({ diff, files }), { mode: 0o600 });
    return await work({ kind: 'diff', file });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
