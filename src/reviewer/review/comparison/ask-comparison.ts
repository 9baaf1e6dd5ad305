import type { FileCoverage } from '../../coverage.ts';
import { partAt } from '../../process/part.ts';
import { PartEnded } from '../../process/part-failure.ts';
import type { ReviewRequest } from '../review-request.ts';
import { withVulnerable } from './ask-vulnerable.ts';
import {
  type CompareProgress,
  notCompared,
  type SourceBegun,
  type SourceComparison,
} from './compare-part.ts';

const comparePart = partAt<typeof import('./compare-part.ts')>('compare-part', import.meta.url);

/**
 * Lets sources compare both sides of the whole change, even if only some of it is new. A part that is ended from outside is
 * repeated without the source that was running; results of the others are kept.
 */
export async function askComparison(
  request: ReviewRequest,
  paths: readonly string[],
): Promise<SourceComparison[]> {
  const compared = await compareSides(request, paths);
  return Promise.all(compared.map((each) => withVulnerable(request, each, paths)));
}

async function compareSides(
  { change, configuration, owner, lineages = {}, run, deadline }: ReviewRequest,
  paths: readonly string[],
): Promise<SourceComparison[]> {
  const done: SourceComparison[] = [];
  for (;;) {
    let at: SourceBegun | undefined;
    const onReport = (told: unknown) => {
      const progress = told as CompareProgress;
      if ('at' in progress) at = progress;
      else done.push(progress);
    };
    const leaveOut = done.map(({ source }) => source);
    const isLate = deadline?.aborted === true;
    try {
      if (!isLate)
        await run(
          comparePart,
          { change, reviews: configuration.reviews, owner, paths, lineages, leaveOut },
          { onReport },
        );
      return done;
    } catch (error) {
      if (!(error instanceof PartEnded)) throw error;
      const culprit = at;
      if (culprit === undefined || done.some(({ source }) => source === culprit.at)) return done;
      done.push(notCompared(culprit.at, culprit.paths, error.limit, `${culprit.at}: ${error.message}`));
    }
  }
}

/** The coverage of a file, including sources that compared it: they count as rules for its language. */
export function withComparisons(coverage: FileCoverage, compared: readonly SourceComparison[]): FileCoverage {
  const own = compared.flatMap((each) => each.coverage.filter(({ path }) => path === coverage.path));
  if (own.length === 0 || (coverage.reason !== null && coverage.reason !== 'no_rule_for_language'))
    return coverage;
  return own.find(({ reason }) => reason !== null) ?? own[0]!;
}
