import type { Db, Fragment } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { dayOf, slotsPerSpan } from '../../review-metrics/order/day-spans.ts';
import { isInWindow, type SelectedWindow } from './select-pull-requests.ts';

/** The place of a pull request among those of the window, newest merge first. */
export interface PullRequestPosition {
  readonly mergedAt: string;
  readonly organizationId: OrganizationId;
  readonly repositoryId: string;
  readonly number: number;
}

/** A position after which, or at which, a page starts. */
export type PageStart = PullRequestPosition & { readonly isIncluded: boolean };

export interface PullRequestRange {
  readonly start: PageStart | undefined;
  readonly count: number;
  /** Only those with comments. */
  readonly hasComments?: boolean;
}

export const newestFirst = (db: Db): Fragment =>
  db`p.merged_at DESC, p.organization_id DESC, p.repository_id DESC, p.number DESC`;

/**
 * The pull requests `p` of the window from a position on, at least `count` of them if there are as many. The index orders by
 * day, but not within a day: it determines the day of the last wanted one, and all of that day is read. So the cost of a
 * page does not depend on the length of the window.
 */
export function newestPullRequests(
  db: Db,
  window: SelectedWindow,
  { start, count, hasComments = false }: PullRequestRange,
): Fragment {
  const isWanted = db`${isInWindow(db, window)} ${start === undefined ? db`` : isFrom(db, start)}
    ${hasComments ? db`AND p.entry IS NOT NULL` : db``}`;
  const slots = db.unsafe(String(slotsPerSpan));
  return db`
    SELECT p.* FROM review_metrics p
    WHERE ${isWanted} AND p.slot_1 >= coalesce((
      SELECT newest.slot_1 / ${slots} * ${slots}
      FROM (
        SELECT p.slot_1
        FROM unnest(${window.organizationIds}::uuid[]) AS o (id)
        CROSS JOIN LATERAL (
          SELECT p.slot_1 FROM review_metrics p WHERE p.organization_id = o.id AND ${isWanted}
          ORDER BY p.slot_1 DESC LIMIT ${count}) AS p
        ORDER BY p.slot_1 DESC LIMIT ${count}) AS newest
      ORDER BY newest.slot_1 LIMIT 1), 0)`;
}

function isFrom(db: Db, { mergedAt, organizationId, repositoryId, number, isIncluded }: PageStart): Fragment {
  const lastSlot = dayOf(new Date(mergedAt)) * slotsPerSpan + slotsPerSpan - 1;
  return db`AND p.slot_1 <= ${lastSlot}
    AND (p.merged_at, p.organization_id, p.repository_id, p.number) ${isIncluded ? db`<=` : db`<`}
      (${mergedAt}::timestamptz, ${organizationId}::uuid, ${repositoryId}::uuid, ${number}::int)`;
}
