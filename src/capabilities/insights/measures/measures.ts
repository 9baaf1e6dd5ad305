import type { Db, Fragment } from '../../../db/database.ts';
import type { Grouping } from '../groups/group-key.ts';

/** The middle half of some values and how many there are; null without any. */
export interface Spread {
  readonly count: number;
  readonly median: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Comments with a known outcome for which it is also known how often such lines change anyway. */
export interface Compared {
  readonly decided: number;
  readonly accepted: number;
  readonly expected: number;
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
  readonly compared: Compared;
}

export type MeasuredGroup = Measures & { readonly key: string };

/** The key is null for all groups together. */
export type MeasuredRow = Measures & { readonly key: string | null };

/** The times of the pull request `p` as columns `first_review`, `merge` and `iterations`. */
export function timesOf(db: Db): Fragment {
  const elapsed = (end: Fragment) =>
    db`CASE WHEN ${end} IS NOT NULL
      THEN greatest(extract(epoch FROM ${end} - coalesce(p.ready_for_review_at, p.created_at))::float8, 0) END`;
  return db`${elapsed(db`p.first_human_review_at`)} AS first_review, ${elapsed(db`p.merged_at`)} AS merge,
    p.review_iterations::float8 AS iterations`;
}

/** How many pull requests `p` there are, and the spreads of their times. */
export function spreads(db: Db): Fragment {
  const spread = (column: Fragment) => {
    const at = (share: number) => db`percentile_cont(${share}::float8) WITHIN GROUP (ORDER BY ${column})`;
    return db`json_build_object('count', count(${column}), 'median', ${at(0.5)}, 'low', ${at(0.25)}, 'high', ${at(0.75)})`;
  };
  return db`count(*)::int AS pull_requests, ${spread(db`p.first_review`)} AS first_review, ${spread(db`p.merge`)} AS merge,
    ${spread(db`p.iterations`)} AS iterations`;
}

/** How to group rows by their column `key`, and to put all of them together as well, as a row without a key. */
export function groupsAndTotal(
  db: Db,
  grouping: Grouping | null,
): { readonly key: Fragment; readonly sets: Fragment } {
  if (grouping === null) return { key: db`NULL`, sets: db`GROUPING SETS (())` };
  return { key: db`key`, sets: db`GROUPING SETS ((key), ())` };
}
