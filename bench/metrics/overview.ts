import { dayOfDate } from '../../src/capabilities/review-metrics/order/day-spans.ts';
import { countSums, readSums, type Sums } from '../../src/capabilities/review-metrics/sums/read-sums.ts';
import { sumComments } from '../../src/capabilities/review-metrics/sums/sum-comments.ts';
import type { Database } from '../../src/db/database.ts';
import type { OrganizationId } from '../../src/lib/ids.ts';

const year = { firstDay: dayOfDate('2024-09-11'), lastDay: dayOfDate('2025-09-10') };

/**
 * Sums up the pull requests that were written inside the database, like the schedule after an update. Returns the duration in
 * seconds.
 */
export async function sumWritten(database: Database): Promise<number> {
  await database.sql`
    INSERT INTO comment_sum_backlog SELECT organization_id, id FROM repositories ON CONFLICT DO NOTHING`;
  const begin = performance.now();
  await sumComments(database, new AbortController().signal);
  const seconds = (performance.now() - begin) / 1000;
  await database.sql`VACUUM ANALYZE repository_comment_sums, organization_comment_sums, comment_sum_changes`;
  return seconds;
}

/** Reads the overview of a year, from the sums or from the entries. */
export function readYear(
  database: Database,
  organizationIds: readonly OrganizationId[],
  from: 'sums' | 'entries',
): Promise<Sums> {
  const organizations = organizationIds.map((organizationId) => ({ organizationId, storageId: 0 }));
  const request = { organizations, repositoryIds: null, ...year };
  return database.transaction(
    (tx) => (from === 'sums' ? readSums(database, tx, request) : countSums(tx, request)),
    { isolation: 'repeatable read', readOnly: true, isLong: true },
  );
}
