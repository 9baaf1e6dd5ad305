import type { CallerContext } from '../../../../access/caller-context.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import type { Database, Db } from '../../../../db/database.ts';
import type { OrganizationId } from '../../../../lib/ids.ts';
import { cutPage } from '../../../../lib/wire/one-page.ts';
import { allChecks } from '../../check-records/check-record-store.ts';

export interface MeasuredWindow {
  /** Days in UTC, both included. */
  readonly startDate: string;
  readonly endDate: string;
  /** Ids at the Git provider. */
  readonly repositoryIds?: readonly string[] | undefined;
}

/** The results of a check on the pull requests that were first checked in a window. */
export interface CheckMeasure {
  readonly check: string;
  readonly pullRequests: number;
  /** On how many pull requests it failed at least once, and the number of failures in all. */
  readonly failed: number;
  readonly failures: number;
  /** On how many pull requests it failed and passes since. */
  readonly becameGreen: number;
  readonly medianHours: number | null;
  readonly p90Hours: number | null;
  /** How often it was overridden in the window. */
  readonly overrides: number;
}

export interface MeasurePosition {
  readonly failed: number;
  readonly check: string;
}

interface Measured {
  readonly rows: readonly CheckMeasure[];
  readonly total: CheckMeasure;
  readonly next: MeasurePosition | null;
}

/**
 * How often each check fails and is overridden, and how long it takes to pass after a failure; the most frequent failures
 * first.
 */
export async function measureChecks(
  { database: { sql } }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  window: MeasuredWindow,
  { after, limit }: { readonly after: MeasurePosition | undefined; readonly limit: number },
): Promise<Measured> {
  const organizationId = onlyOrganization(scope).organization.id;
  const measured = await readMeasures(sql, organizationId, window);
  const overrides = measured.reduce((sum, row) => sum + row.overrides, 0);
  const total = measured.find(({ check }) => check === allChecks) ?? untried;
  const following = measured.filter(
    ({ check, failed }) =>
      check !== allChecks &&
      (after === undefined || failed < after.failed || (failed === after.failed && check > after.check)),
  );
  const page = cutPage(following.slice(0, limit + 1), limit, ({ check, failed }) => ({ check, failed }));
  return { ...page, total: { ...total, overrides } };
}

const untried: CheckMeasure = {
  check: allChecks,
  pullRequests: 0,
  failed: 0,
  failures: 0,
  becameGreen: 0,
  medianHours: null,
  p90Hours: null,
  overrides: 0,
};

/** One row per name of a check; names are free text, so there can be many. */
async function readMeasures(
  db: Db,
  organizationId: OrganizationId,
  { startDate, endDate, repositoryIds }: MeasuredWindow,
): Promise<CheckMeasure[]> {
  const from = db`${`${startDate}T00:00:00Z`}::timestamptz`;
  const until = db`${`${endDate}T00:00:00Z`}::timestamptz + interval '1 day'`;
  const repositories =
    repositoryIds === undefined
      ? db``
      : db`AND repository_id IN (SELECT id FROM repositories
          WHERE organization_id = ${organizationId} AND provider_repository_id = ANY(${[...repositoryIds]}::text[]))`;
  return db<CheckMeasure[]>`
    WITH fared AS (
      SELECT check_name, count(*)::integer AS pull_requests, count(failed_at)::integer AS failed,
        sum(failures)::integer AS failures, count(held_at) FILTER (WHERE failed_at IS NOT NULL)::integer AS became_green,
        percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY extract(epoch FROM held_at - failed_at) / 3600)
          FILTER (WHERE failed_at IS NOT NULL AND held_at IS NOT NULL) AS hours
      FROM check_records
      WHERE organization_id = ${organizationId} AND first_at >= ${from} AND first_at < ${until} ${repositories}
      GROUP BY check_name
    ), let_go AS (
      SELECT check_name, count(*)::integer AS overrides FROM check_overrides
      WHERE organization_id = ${organizationId} AND created_at >= ${from} AND created_at < ${until} ${repositories}
      GROUP BY check_name
    )
    SELECT check_name AS check, coalesce(pull_requests, 0) AS "pullRequests", coalesce(failed, 0) AS failed, coalesce(failures, 0) AS failures,
      coalesce(became_green, 0) AS "becameGreen", round(hours[1]::numeric, 2)::float8 AS "medianHours",
      round(hours[2]::numeric, 2)::float8 AS "p90Hours", coalesce(overrides, 0) AS overrides
    FROM fared FULL JOIN let_go USING (check_name)
    ORDER BY failed DESC NULLS LAST, check_name COLLATE "C"`;
}
