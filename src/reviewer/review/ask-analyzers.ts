import type { PlacedResults } from '../analyzers/place-results-part.ts';
import { rulesOff } from '../judge/attention.ts';
import { partAt } from '../process/part.ts';
import { PartEnded } from '../process/part-failure.ts';
import { noneStanding } from '../report/preexisting.ts';
import type { PlannedReview } from './plan-part.ts';
import type { ReviewRequest } from './review-request.ts';

const placePart = partAt<typeof import('../analyzers/place-results-part.ts')>(
  '../analyzers/place-results-part',
  import.meta.url,
);

/** The results of analyzers for the change; null if none were sent. If reading fails, a note says so, and no finding is gone. */
export async function askAnalyzers(
  { change, configuration: { reviews }, lineages = {}, records = [], results, run, signal }: ReviewRequest,
  { inScope, generated }: Pick<PlannedReview, 'inScope' | 'generated'>,
): Promise<PlacedResults | null> {
  if (results === undefined || results.logs.length === 0) return null;
  const request = {
    change,
    logs: results.logs,
    paths: inScope.filter((path) => !generated.includes(path)),
    pathFilters: reviews.path_filters,
    lineages,
    floor: reviews.severity_floor,
    off: [...rulesOff(records)],
  };
  try {
    const placed = await run(placePart, request);
    const waiting = new Set(results.waitingFor);
    return { ...placed, tools: placed.tools.filter((tool) => !waiting.has(tool)) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PartEnded)) throw error;
    const notes = [`The results of analyzers were not included: ${error.message}`];
    return { findings: [], standing: noneStanding, notes, tools: [] };
  }
}
