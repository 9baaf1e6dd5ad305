import type { RunPart } from '../../../reviewer/process/part.ts';
import { partAt } from '../../../reviewer/process/part.ts';
import { PartEnded } from '../../../reviewer/process/part-failure.ts';
import { GitError } from '../../../reviewer/repository/run-git.ts';
import type { FormerVersionsRequest } from './former-versions-part.ts';
import type { Mirror } from './mirrors.ts';

const maxMs = 20_000;

const versionsPart = partAt<typeof import('./former-versions-part.ts')>(
  'former-versions-part',
  import.meta.url,
);

/**
 * Fetches some former versions of the files whose lines a change replaces, to find out who wrote these lines. Optional:
 * without them the report says what it is based on instead.
 */
export async function bringHistory(
  mirror: Mirror,
  change: FormerVersionsRequest['change'],
  run: RunPart,
  signal: AbortSignal,
): Promise<void> {
  try {
    const missing = await run(versionsPart, { change });
    if (missing.length > 0 && (await mirror.hasRoom()))
      await mirror.fetchById(missing, AbortSignal.any([signal, AbortSignal.timeout(maxMs)]));
  } catch (error) {
    signal.throwIfAborted();
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    if (!isTimeout && !(error instanceof PartEnded) && !(error instanceof GitError)) throw error;
  }
}
