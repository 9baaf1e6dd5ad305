import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Db, Fragment } from '../../../db/database.ts';
import { arrayLiteral, plainArrayLiteral } from '../../../db/driver/array-literal.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { dayOfDate, entryClasses, slotsPerSpan } from '../../review-metrics/order/day-spans.ts';
import { findStoragesOf } from '../../review-metrics/storage/readable-storages.ts';
import { membershipsOfAccount, membershipsOfTeams } from '../../teams/select-teams.ts';
import type { InsightFilter } from './insight-filter.ts';
import { hasSelectedComment } from './select-comments.ts';

/** Where the metrics of some organizations are. */
export interface MetricsPlace {
  /** The ids of the organizations as the text of an array. */
  readonly organizationIds: string;
  /** The storages of their metrics, as a list in SQL. */
  readonly storageIds: string;
}

/** A window of pull requests, ready to be read. */
export interface SelectedWindow extends MetricsPlace {
  readonly filter: InsightFilter;
}

/** Finds where the metrics of the organizations in scope are; throws if they cannot be read now. */
export function findMetrics(db: Db, scope: OrgScope): Promise<MetricsPlace> {
  return metricsOf(db, organizationIdsOf(scope));
}

/** The same for background work without a caller, such as a schedule's. */
export async function metricsOf(db: Db, ids: readonly OrganizationId[]): Promise<MetricsPlace> {
  const storages = await findStoragesOf(db, ids);
  const storageIds = new Set(storages.map(({ storageId }) => storageId));
  return {
    organizationIds: plainArrayLiteral(ids),
    storageIds: storageIds.size === 0 ? '0' : [...storageIds].join(', '),
  };
}

/** The same for a window of their pull requests. */
export async function selectWindow(db: Db, scope: OrgScope, filter: InsightFilter): Promise<SelectedWindow> {
  return { filter, ...(await findMetrics(db, scope)) };
}

/** The condition on rows `p` of pull requests that are in one of the repositories, if any are named. */
export function isOfRepositories(
  db: Db,
  organizationIds: string,
  repositoryIds: readonly string[] | undefined,
): Fragment {
  if (repositoryIds === undefined) return db`true`;
  return db`(p.organization_id, p.repository_id) IN (
    SELECT organization_id, id FROM repositories WHERE organization_id = ANY(${organizationIds}::uuid[])
      AND provider_repository_id = ANY(${arrayLiteral(repositoryIds)}::text[]))`;
}

/** The condition on rows `p` whose author is in one of the teams now, whenever the pull request was merged. */
function isOfTeams(db: Db, { filter: { teamIds }, organizationIds }: SelectedWindow): Fragment {
  if (teamIds === undefined) return db`true`;
  const named = plainArrayLiteral(teamIds.filter((id) => id !== 'none'));
  // `IS TRUE` keeps this from becoming a join, which may look for the people of the team again for each pull request.
  const isInNamed = db`((p.organization_id, p.author_id) IN (
    SELECT t.organization_id, t.provider_user_id
    FROM (${membershipsOfTeams(db, organizationIds, db`= ANY(${named}::uuid[])`)}) AS t)) IS TRUE`;
  if (!teamIds.includes('none')) return isInNamed;
  return db`(${isInNamed} OR NOT EXISTS (${membershipsOfAccount(db, db`p.organization_id`, db`p.author_id`)}))`;
}

/** The condition on rows `p` of `review_metrics` that are merged pull requests of the window. */
export function isInWindow(db: Db, window: SelectedWindow): Fragment {
  const { filter, organizationIds, storageIds } = window;
  const { repositoryIds, authorIds } = filter;
  const firstSlot = dayOfDate(filter.startDate) * slotsPerSpan;
  const lastSlot = dayOfDate(filter.endDate) * slotsPerSpan + slotsPerSpan - 1;
  const ofRepositories = isOfRepositories(db, organizationIds, repositoryIds);
  const ofAuthors =
    authorIds === undefined ? db`` : db`AND p.author_id = ANY(${arrayLiteral(authorIds)}::text[])`;
  return db`p.storage_id IN (${db.unsafe(storageIds)}) AND p.organization_id = ANY(${organizationIds}::uuid[])
    AND p.write_seq IS NOT NULL AND p.slot_1 BETWEEN ${firstSlot} AND ${lastSlot}
    AND p.slot_1 % ${db.unsafe(String(slotsPerSpan))} <> ${db.unsafe(String(entryClasses.closed))}
    AND ${ofRepositories} ${ofAuthors} AND ${isOfTeams(db, window)} AND ${hasSelectedComment(db, filter)}`;
}
