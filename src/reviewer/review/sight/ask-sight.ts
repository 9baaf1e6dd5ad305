import { partAt } from '../../process/part.ts';
import { PartEnded } from '../../process/part-failure.ts';
import { nothingSeen, notLooked, type Sight } from '../../sight.ts';
import type { ReviewRequest } from '../review-request.ts';

const sightPart = partAt<typeof import('./sight-part.ts')>('sight-part', import.meta.url);

/**
 * Looks into the repository behind the change, if there is one; null where nobody wants that. It adds to what is known about
 * the change, so that whatever ends it is a note: the files of the change are reviewed all the same. It looks at the change
 * as a whole, also where only a part of it is new, because any file can be answered by any other.
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
