import type { FindingsQuery } from '../schemas.ts';
import type { FindingFilters } from './finding-store.ts';

/** The filters of a request, in one form for equal questions: cursors are bound to them. */
export function filtersOf({ state, severity, repo_id }: FindingsQuery): FindingFilters {
  return { state, severities: severity?.toSorted() ?? null, repositoryId: repo_id ?? null };
}
