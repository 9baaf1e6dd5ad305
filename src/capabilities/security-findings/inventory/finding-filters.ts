import type { FindingsQuery } from '../schemas.ts';
import type { FindingFilters } from '../security-finding-store.ts';

/** Normalizes the filters of a request, because cursors are bound to them. */
export function toFindingFilters({
  state,
  severity,
  repo_id,
}: Pick<FindingsQuery, 'state' | 'severity' | 'repo_id'>): FindingFilters {
  return { state, severities: severity?.toSorted() ?? null, repositoryId: repo_id ?? null };
}
