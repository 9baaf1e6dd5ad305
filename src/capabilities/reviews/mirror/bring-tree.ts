import type { RunPart } from '../../../reviewer/process/part.ts';
import { partAt } from '../../../reviewer/process/part.ts';
import { PartEnded } from '../../../reviewer/process/part-failure.ts';
import type { RepositoryPlace } from '../../../reviewer/repository/repository.ts';
import { GitError } from '../../../reviewer/repository/run-git.ts';
import { isHostFault, type Mirror } from './mirrors.ts';

/** The number of files per fetch. Each batch is kept, so the next review continues where this one had to stop. */
const batchSize = 2_000;
const maxMs = 120_000;

const lackingPart = partAt<typeof import('./lacking-part.ts')>('lacking-part', import.meta.url);

/**
 * Fetches the contents of a commit's files, so that the review can look at the whole repository: all of them once, and
 * afterwards only what pushes add. Optional: a failure is returned as a sentence, not thrown; null if all files are here.
 */
export async function bringTree(
  mirror: Mirror,
  repository: RepositoryPlace,
  commit: string,
  run: RunPart,
  signal: AbortSignal,
): Promise<string | null> {
  const until = AbortSignal.timeout(maxMs);
  try {
    const missing = await run(lackingPart, { repository, commit });
    for (let from = 0; from < missing.length; from += batchSize) {
      if (!(await mirror.hasRoom())) return incomplete('its mirror would become too large');
      if (until.aborted) return incomplete('it takes too long; the next review continues');
      await mirror.fetchById(missing.slice(from, from + batchSize), AbortSignal.any([signal, until]));
    }
    return null;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PartEnded) return incomplete('there are too many');
    if (until.aborted) return incomplete('it takes too long; the next review continues');
    const isTooMuch = error instanceof GitError && error.fault !== 'failed';
    if (isTooMuch) return incomplete('there are too many');
    if (isHostFault(error)) return incomplete('the host did not send them');
    throw error;
  }
}

const incomplete = (why: string) => `Not all files of the repository could be fetched: ${why}`;
