import type { Db, Fragment } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { type Grouping, isOfComments, joinedFor, keyOf } from '../groups/group-key.ts';
import { commentsOf } from '../window/select-comments.ts';
import { isInWindow, type SelectedWindow } from '../window/select-pull-requests.ts';

/** The middle half of some values and how many there are; null without any. */
export interface Spread {
  readonly count: number;
  readonly median: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** What is measured about some pull requests and their comments. Times are in seconds. */
export interface Measures {
  readonly pull_requests: number;
  readonly first_review: Spread;
  readonly merge: Spread;
  readonly iterations: Spread;
  readonly posted: number;
  readonly accepted: number;
  readonly not_accepted: number;
  /** Comments with a known outcome for which it is also known how often such lines change anyway. */
  readonly compared: { readonly decided: number; readonly accepted: number; readonly expected: number };
}

export type MeasuredGroup = Measures & { readonly key: string };

/** A window is measured by going through its pull requests; beyond this number that takes too long. */
export const maxPullRequests = 100_000;

export function tooManyPullRequests(): AppError {
  return new AppError(
    'RESPONSE_TOO_LARGE',
    `More than ${maxPullRequests} pull requests were merged in this period; choose a shorter one or fewer repositories`,
  );
}

/** People of a chosen team can be in others too: those were not chosen. */
export function isWanted(
  { filter: { teamIds } }: SelectedWindow,
  grouping: Grouping | null,
  key: string,
): boolean {
  return grouping !== 'team' || teamIds === undefined || teamIds.includes(key === '' ? 'none' : key);
}

function spread(db: Db, seconds: Fragment): Fragment {
  const at = (share: number) => db`percentile_cont(${share}::float8) WITHIN GROUP (ORDER BY ${seconds})`;
  return db`json_build_object('count', count(${seconds}), 'median', ${at(0.5)}, 'low', ${at(0.25)}, 'high', ${at(0.75)})`;
}

/** Measures the pull requests of the window and their comments, in groups. Groups without pull requests are left out. */
export async function measureWindow(
  db: Db,
  window: SelectedWindow,
  grouping: Grouping | null,
): Promise<MeasuredGroup[]> {
  const byComments = isOfComments(grouping);
  const elapsed = (end: Fragment) =>
    db`CASE WHEN ${end} IS NOT NULL
      THEN greatest(extract(epoch FROM ${end} - coalesce(p.ready_for_review_at, p.created_at))::float8, 0) END`;
  const key = keyOf(db, grouping);
  // One row per pull request, or per pull request and group of its comments: no table is joined with itself.
  const outcomes = db`
    SELECT ${byComments ? key : db`NULL`} AS key, count(*) AS posted, count(*) FILTER (WHERE accepted) AS accepted,
      count(*) FILTER (WHERE NOT accepted) AS not_accepted, count(chance) FILTER (WHERE accepted IS NOT NULL) AS compared,
      count(chance) FILTER (WHERE accepted) AS compared_accepted, sum(chance) FILTER (WHERE accepted IS NOT NULL) AS expected
    FROM (${commentsOf(db, window.filter)}) AS c ${byComments ? db`GROUP BY 1` : db``}`;
  const rows = await db<(MeasuredGroup & { is_complete: boolean })[]>`
    WITH pulls AS MATERIALIZED (
      SELECT p.* FROM review_metrics p
      WHERE p.organization_id = ANY(${window.organizationIds}::uuid[]) AND ${isInWindow(db, window)} LIMIT ${maxPullRequests + 1})
    SELECT ${byComments ? db`o.key` : key} AS key, count(*)::int AS pull_requests,
      ${spread(db, elapsed(db`p.first_human_review_at`))} AS first_review, ${spread(db, elapsed(db`p.merged_at`))} AS merge,
      ${spread(db, db`p.review_iterations::float8`)} AS iterations, sum(o.posted)::int AS posted, sum(o.accepted)::int AS accepted,
      sum(o.not_accepted)::int AS not_accepted,
      json_build_object('decided', sum(o.compared), 'accepted', sum(o.compared_accepted), 'expected', coalesce(sum(o.expected), 0))
        AS compared,
      (SELECT count(*) FROM pulls) <= ${maxPullRequests} AS is_complete
    FROM pulls p CROSS JOIN LATERAL (${outcomes}) AS o ${joinedFor(db, grouping)} GROUP BY 1`;
  if (rows.some(({ is_complete }) => !is_complete)) throw tooManyPullRequests();
  return rows
    .map(({ is_complete: _, ...group }) => group)
    .filter(({ key }) => isWanted(window, grouping, key));
}
