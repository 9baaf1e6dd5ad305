import { measureWindow } from '../../src/capabilities/insights/measures/measure-window.ts';
import type { Database, Sql } from '../../src/db/database.ts';
import type { OrganizationId } from '../../src/lib/ids.ts';

const year = { startDate: '2024-09-11', endDate: '2025-09-10' };

interface MeasuredWeeks {
  readonly pullRequests: number;
  readonly accepted: number;
}

/** Reads a year of an organization as the dashboard shows it: times and outcomes, in total and by week. */
export function measureWeeks(database: Database, organizationId: OrganizationId): Promise<MeasuredWeeks> {
  return database.transaction(
    async (tx) => {
      const window = { filter: year, organizationIds: `{${organizationId}}`, storageIds: '0' };
      const { total } = await measureWindow(tx, window, 'week');
      return { pullRequests: total.pull_requests, accepted: total.accepted };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/** Adds the index that the plain tables need for this. Not earlier, because it slows down pages in write order. */
export async function indexPlainWeeks(sql: Sql): Promise<void> {
  await sql`CREATE INDEX ON bench_pull_requests (organization_id, merged_at)`;
  await sql`VACUUM ANALYZE bench_pull_requests`;
}

/** The same from a table of pull requests and one of comments. */
export async function measurePlainWeeks(sql: Sql, organizationId: OrganizationId): Promise<MeasuredWeeks> {
  const isWanted = sql`
    p.organization_id = ${organizationId} AND p.merged_at >= ${year.startDate}::date AND p.merged_at < ${year.endDate}::date + 1`;
  const spread = (value: string) =>
    sql`percentile_cont(ARRAY[0.25, 0.5, 0.75]::float8[]) WITHIN GROUP (ORDER BY ${sql.unsafe(value)})`;
  const times = await sql<{ week: Date | null; count: number }[]>`
    SELECT date_trunc('week', p.merged_at) AS week, count(*)::int AS count,
      ${spread('extract(epoch FROM p.first_human_review_at - p.created_at)')}, ${spread('extract(epoch FROM p.merged_at - p.created_at)')},
      ${spread('p.review_iterations')}
    FROM bench_pull_requests p WHERE ${isWanted} GROUP BY GROUPING SETS ((1), ())`;
  const outcomes = await sql<{ week: Date | null; accepted: number }[]>`
    SELECT date_trunc('week', p.merged_at) AS week, count(*)::int AS posted, count(*) FILTER (WHERE c.accepted)::int AS accepted,
      count(*) FILTER (WHERE NOT c.accepted)::int AS not_accepted
    FROM bench_pull_requests p JOIN bench_comments c USING (organization_id, seq)
    WHERE ${isWanted} GROUP BY GROUPING SETS ((1), ())`;
  const isTotal = ({ week }: { week: Date | null }) => week === null;
  return { pullRequests: times.find(isTotal)!.count, accepted: outcomes.find(isTotal)!.accepted };
}
