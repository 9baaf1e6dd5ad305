import type { CallerContext } from '../../../access/caller-context.ts';
import { organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { type Health, hasHealth, isInUse, isRetired, likeLearnings } from './health.ts';
import { verdictsOfAll } from './verdicts.ts';

/** Counts the Learnings in scope that are in use by their health, and the retired ones; one can be in several groups. */
export async function summariseUsage(
  { database: { sql } }: { database: Database },
  { scope, now }: Pick<CallerContext, 'scope' | 'now'>,
): Promise<Record<Health | 'total', number>> {
  const count = (health: Exclude<Health, 'retired'>) =>
    sql`count(*) FILTER (WHERE ${hasHealth(sql, health, now)})::int`;
  const organizationIds = organizationIdsOf(scope);
  const [row] = await sql<[Record<Health | 'total', number>]>`
    WITH verdicts AS MATERIALIZED (${verdictsOfAll(sql, scope)}),
    alike AS MATERIALIZED (${likeLearnings(sql, scope, now)})
    SELECT count(*)::int AS total, ${count('used')} AS used, ${count('stale')} AS stale, ${count('followed')} AS followed,
      ${count('contradicted')} AS contradicted, ${count('duplicate')} AS duplicate, ${count('conflict')} AS conflict,
      (SELECT count(*)::int FROM learnings l
       WHERE l.organization_id = ANY(${organizationIds}::uuid[]) AND ${isRetired(sql)}) AS retired
    FROM learnings l LEFT JOIN verdicts v ON v.organization_id = l.organization_id AND v.learning_id = l.id
    WHERE l.organization_id = ANY(${organizationIds}::uuid[]) AND ${isInUse(sql, now)}`;
  return row;
}
