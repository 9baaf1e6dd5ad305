import type { Database, Db, Tx } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { spanKeyOfDay, spanSizes } from '../order/day-spans.ts';
import { countColumns } from './comment-counts.ts';

const changesPerStep = 50_000;

interface ChangePosition {
  readonly organization_id: OrganizationId;
  readonly id: number;
}

const start = { organization_id: '00000000-0000-0000-0000-000000000000', id: 0 } as ChangePosition;

const columns = countColumns.join(', ');
const sumOfChanges = countColumns.map((name, index) => `sum(counts[${index + 1}]) AS ${name}`).join(', ');
const sumOfDays = countColumns.map((name) => `sum(${name})`).join(', ');

/** Adds the days to one table of sums, in the order of its key, so that two nodes wait for each other instead of deadlocking. */
function addTo(table: string, key: string): string {
  const added = countColumns.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');
  return `
    INSERT INTO ${table} (${key}, ${columns})
    SELECT ${key}, ${sumOfDays} FROM days_of_spans GROUP BY ${key} ORDER BY ${key}
    ON CONFLICT (${key}) DO UPDATE SET ${added}`;
}

/** The position up to which the next step goes: fewer changes than a step may take can follow the last one. */
async function findEnd(db: Db, after: ChangePosition): Promise<ChangePosition | undefined> {
  const [end] = await db<ChangePosition[]>`
    SELECT organization_id, id FROM (
      SELECT organization_id, id FROM comment_sum_changes
      WHERE (organization_id, id) > (${after.organization_id}::uuid, ${after.id}::bigint)
      ORDER BY organization_id, id LIMIT ${changesPerStep}) AS next
    ORDER BY organization_id DESC, id DESC LIMIT 1`;
  return end;
}

// A change that another node folds at the same time is locked by it, and gone when this statement continues.
async function foldBetween(tx: Tx, after: ChangePosition, end: ChangePosition): Promise<void> {
  await tx`
    WITH taken AS (
      DELETE FROM comment_sum_changes c
      WHERE (organization_id, id) > (${after.organization_id}::uuid, ${after.id}::bigint)
        AND (organization_id, id) <= (${end.organization_id}::uuid, ${end.id}::bigint)
        AND NOT EXISTS (
          SELECT 1 FROM comment_sum_backlog b
          WHERE b.organization_id = c.organization_id AND b.repository_id = c.repository_id)
      RETURNING organization_id, repository_id, day, counts),
    days AS (
      SELECT organization_id, repository_id, day, ${tx.unsafe(sumOfChanges)} FROM taken GROUP BY organization_id, repository_id, day),
    days_of_spans AS (
      SELECT days.*, ${tx.unsafe(spanKeyOfDay('level', 'day'))} AS span
      FROM days CROSS JOIN generate_series(0, ${spanSizes.length - 1}::int) AS level),
    repository_sums AS (${tx.unsafe(addTo('repository_comment_sums', 'organization_id, span, repository_id'))})
    ${tx.unsafe(addTo('organization_comment_sums', 'organization_id, span'))}`;
}

/** Adds the noted changes to the sums; several nodes may do so at once. As they delete changes in any order, each tries again after a deadlock. */
export async function foldChanges({ sql, transaction }: Database, signal: AbortSignal): Promise<void> {
  for (let after = start; !signal.aborted; ) {
    const from = after;
    const end = await findEnd(sql, from);
    if (end === undefined) return;
    await transaction((tx) => foldBetween(tx, from, end));
    after = end;
  }
}
