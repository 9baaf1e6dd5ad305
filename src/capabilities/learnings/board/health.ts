import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Db, Fragment } from '../../../db/database.ts';
import { isApprovedSql } from '../export/export-rows.ts';

const dayMs = 24 * 60 * 60 * 1000;
const idleDays = 90;

/**
 * used: in a review in the last 90 days; stale: in none for 90 days, or about a file that is gone; followed, contradicted: a
 * comment that cites it was accepted, or was not; duplicate, conflict: it may say the same as another, or the opposite;
 * retired: taken out of use.
 */
export const healths = [
  'used',
  'stale',
  'followed',
  'contradicted',
  'duplicate',
  'conflict',
  'retired',
] as const;
export type Health = (typeof healths)[number];

/** The time before which a use is too long ago to count. */
export function idleSince(now: Date): Date {
  return new Date(now.getTime() - idleDays * dayMs);
}

/** Whether `learnings l` is shared and approved, so that reviews of every pull request use it. */
export function isInUse(db: Db, now: Date): Fragment {
  return db`l.visibility = 'shared' AND ${isApprovedSql(db, now)}`;
}

export function isRetired(db: Db): Fragment {
  return db`l.approval = 'disapproved' AND l.retired_at IS NOT NULL`;
}

/** The Learnings that form a duplicate or a conflict with another one in use, without pairs that somebody has dismissed. */
export function likeLearnings(db: Db, scope: OrgScope, now: Date): Fragment {
  const inUse = (pair: Fragment) => db`EXISTS (
    SELECT FROM learnings l WHERE l.organization_id = p.organization_id AND l.id = ${pair} AND ${isInUse(db, now)})`;
  const organizationIds = organizationIdsOf(scope);
  return db`
    SELECT p.organization_id, p.kind, each.id FROM learning_likenesses p
    CROSS JOIN LATERAL (VALUES (p.learning_id), (p.other_id)) AS each (id)
    WHERE p.organization_id = ANY(${organizationIds}::uuid[]) AND p.dismissed_at IS NULL
      AND ${inUse(db`p.learning_id`)} AND ${inUse(db`p.other_id`)}`;
}

/** Whether `learnings l`, which is in use, has this health; needs `verdicts v` and `alike` over all Learnings. */
export function hasHealth(db: Db, health: Exclude<Health, 'retired'>, now: Date): Fragment {
  switch (health) {
    case 'used':
      return db`l.last_used_at >= ${idleSince(now)}`;
    case 'stale':
      return db`(coalesce(l.last_used_at, l.created_at) < ${idleSince(now)} OR l.file_missing_since IS NOT NULL)`;
    case 'followed':
      return db`coalesce(v.followed, 0) > 0`;
    case 'contradicted':
      return db`coalesce(v.contradicted, 0) > 0`;
    case 'duplicate':
    case 'conflict':
      return db`(l.organization_id, l.id) IN (SELECT organization_id, id FROM alike WHERE kind = ${health})`;
  }
}
