import type { Database, Tx } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { spanKeysPerSize } from '../order/day-spans.ts';
import { readStorageMap } from '../storage/storage-map.ts';
import { countColumns } from './comment-counts.ts';
import { countedEntries } from './count-entries.ts';

const columns = countColumns.join(', ');
const negated = countColumns.map((name) => `-${name}`).join(', ');
const differences = countColumns.map((name) => `sum(${name})::int`);
const isDifferent = countColumns.map((name) => `sum(${name}) <> 0`).join(' OR ');

interface Repository {
  readonly organization_id: OrganizationId;
  readonly repository_id: RepositoryId;
}

/**
 * Counts a repository of the backlog: records the difference between its entries and its sums as changes. The transaction
 * reads one snapshot, and changes of a repository in the backlog are not folded meanwhile. So the changes that it sees (and
 * deletes) are included in the entries that it counts, and later ones are kept.
 */
async function countNext(tx: Tx): Promise<boolean> {
  const [next] = await tx<Repository[]>`
    SELECT organization_id, repository_id FROM comment_sum_backlog
    ORDER BY organization_id, repository_id LIMIT 1 FOR UPDATE SKIP LOCKED`;
  if (next === undefined) return false;
  const { organization_id, repository_id } = next;
  const { readFrom } = (await readStorageMap(tx)).storageOf(organization_id);
  await tx`
    DELETE FROM comment_sum_changes WHERE organization_id = ${organization_id} AND repository_id = ${repository_id}`;
  await tx`
    INSERT INTO comment_sum_changes (organization_id, repository_id, day, counts)
    SELECT organization_id, repository_id, day, ARRAY[${tx.unsafe(differences.join(', '))}]
    FROM (
      ${countedEntries(tx, readFrom, tx`m.organization_id = ${organization_id} AND m.repository_id = ${repository_id}`)}
      UNION ALL
      SELECT organization_id, repository_id, span, ${tx.unsafe(negated)} FROM repository_comment_sums
      WHERE organization_id = ${organization_id} AND repository_id = ${repository_id} AND span < ${spanKeysPerSize}
    ) AS counted (organization_id, repository_id, day, ${tx.unsafe(columns)})
    GROUP BY organization_id, repository_id, day HAVING ${tx.unsafe(isDifferent)}`;
  await tx`
    DELETE FROM comment_sum_backlog WHERE organization_id = ${organization_id} AND repository_id = ${repository_id}`;
  return true;
}

/** Counts one repository whose sums may be incomplete; returns whether there was one. Several nodes may do so at once. */
export function countOneOfBacklog({ transaction }: Database): Promise<boolean> {
  return transaction(countNext, { isolation: 'repeatable read', isLong: true });
}
