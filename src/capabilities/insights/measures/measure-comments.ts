import type { Db } from '../../../db/database.ts';
import { type Grouping, isOfComments, joinedFor, keyOf } from '../groups/group-key.ts';
import { commentsOf } from '../window/select-comments.ts';
import { isInWindow, type SelectedWindow } from '../window/select-pull-requests.ts';
import { groupsAndTotal, type MeasuredRow, spreads, timesOf } from './measures.ts';

/** Measures certain comments and the pull requests that have them, in groups of either and in total. */
export function measureComments(
  db: Db,
  window: SelectedWindow,
  grouping: Grouping | null,
): Promise<readonly MeasuredRow[]> {
  const byComments = isOfComments(grouping);
  const key = keyOf(db, grouping);
  const grouped = groupsAndTotal(db, grouping);
  // One row per pull request, or per pull request and group of its comments: no table is joined with itself.
  const outcomes = db`
    SELECT ${byComments ? key : db`NULL`} AS comment_key, count(*) AS posted, count(*) FILTER (WHERE accepted) AS accepted,
      count(*) FILTER (WHERE NOT accepted) AS not_accepted, count(chance) FILTER (WHERE accepted IS NOT NULL) AS compared,
      count(chance) FILTER (WHERE accepted) AS compared_accepted, sum(chance) FILTER (WHERE accepted IS NOT NULL) AS expected
    FROM (${commentsOf(db, window.filter)}) AS c ${byComments ? db`GROUP BY 1` : db``}`;
  const sum = (column: string) => db`coalesce(sum(${db.unsafe(column)}), 0)::int`;
  return db<MeasuredRow[]>`
    SELECT ${grouped.key} AS key, ${spreads(db)}, ${sum('posted')} AS posted, ${sum('accepted')} AS accepted, ${sum('not_accepted')} AS not_accepted,
      json_build_object('decided', ${sum('compared')}, 'accepted', ${sum('compared_accepted')}, 'expected', coalesce(sum(expected), 0))
        AS compared
    FROM (
      SELECT ${byComments ? db`o.comment_key` : key} AS key, ${timesOf(db)}, o.*
      FROM review_metrics p CROSS JOIN LATERAL (${outcomes}) AS o ${joinedFor(db, grouping)}
      WHERE p.organization_id = ANY(${window.organizationIds}::uuid[]) AND ${isInWindow(db, window)}) AS p
    GROUP BY ${grouped.sets}`;
}
