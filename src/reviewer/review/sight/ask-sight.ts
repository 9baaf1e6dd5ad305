import { partAt } from '../../process/part.ts';
import { PartEnded } from '../../process/part-failure.ts';
import { nothingSeen, notLooked, type Sight } from '../../sight.ts';
import type { ReviewRequest } from '../review-request.ts';

const sightPart = partAt<typeof import('./sight-part.ts')>('sight-part', import.meta.url);

/**
 * Analyzes the repository around the change; null if there is none, or rules about references are turned off. A failure only
 * results in a note, because the files of the change are reviewed anyway. The whole change is analyzed, even if only some of
 * it is new, because any of its files can affect any other.
 */
export async function askSight(
  { change, configuration, lineages = {}, run, signal, deadline }: ReviewRequest,
  paths: readonly string[],
): Promise<Sight | null> {
  const hasRepository = change.kind === 'commits' || change.behind !== undefined;
  if (!hasRepository || !configuration.reviews.rules.references) return null;
  try {
    if (deadline?.aborted) throw new PartEnded('time');
    return await run(sightPart, { change, paths, lineages });
  } catch (error) {
    signal.throwIfAborted();
    const { message } = error as Error;
    return nothingSeen(
      notLooked(error instanceof PartEnded ? message : `it failed: ${message.slice(0, 200)}`),
    );
  }
}
