import type { Db, Fragment } from '../../../db/database.ts';
import { type Grouping, joinedFor, keyOf } from '../groups/group-key.ts';
import { commentsOf } from '../window/select-comments.ts';
import { isInWindow, type SelectedWindow } from '../window/select-pull-requests.ts';
import { type Compared, groupsAndTotal, type MeasuredRow, spreads, timesOf } from './measures.ts';

/**
 * How many comments of the pull request `p` have an outcome. The text is searched, since parsing it takes ten times as long; what
 * is looked for cannot be part of a value, in which quotation marks are escaped.
 */
function countOutcome(db: Db, outcome: 'true' | 'false' | 'null'): Fragment {
  const field = `"accepted":${outcome}`;
  return db`(octet_length(p.entry) - octet_length(replace(p.entry, ${field}, ''))) / ${db.unsafe(String(field.length))}`;
}

const nothingCompared: Compared = { decided: 0, accepted: 0, expected: 0 };

/** Few pull requests have comments to compare, so only their entries are parsed. */
async function compareByKey(db: Db, window: SelectedWindow, grouping: Grouping | null) {
  const grouped = groupsAndTotal(db, grouping);
  const rows = await db<(Compared & { key: string | null })[]>`
    SELECT ${grouped.key} AS key, count(*)::int AS decided, count(*) FILTER (WHERE accepted)::int AS accepted, coalesce(sum(chance), 0) AS expected
    FROM (
      SELECT ${keyOf(db, grouping)} AS key, c.accepted, c.chance
      FROM review_metrics p ${joinedFor(db, grouping)} CROSS JOIN LATERAL (${commentsOf(db, {})}) AS c
      WHERE p.organization_id = ANY(${window.organizationIds}::uuid[]) AND ${isInWindow(db, window)}
        AND c.accepted IS NOT NULL AND c.chance IS NOT NULL AND EXISTS (
        SELECT 1 FROM finding_outcomes o
        WHERE o.organization_id = ANY(${window.organizationIds}::uuid[]) AND o.organization_id = p.organization_id
          AND o.repository_id = p.repository_id AND o.subject = 'pull/' || p.number AND o.chance IS NOT NULL)) AS compared
    GROUP BY ${grouped.sets}`;
  return new Map(rows.map(({ key, ...compared }) => [key, compared]));
}

/** Measures pull requests and all of their comments, in groups of pull requests and in total. */
export async function measurePullRequests(
  db: Db,
  window: SelectedWindow,
  grouping: Grouping | null,
): Promise<MeasuredRow[]> {
  const grouped = groupsAndTotal(db, grouping);
  const rows = await db<Omit<MeasuredRow, 'compared'>[]>`
    SELECT ${grouped.key} AS key, ${spreads(db)}, coalesce(sum(accepted + not_accepted + unknown), 0)::int AS posted,
      coalesce(sum(accepted), 0)::int AS accepted, coalesce(sum(not_accepted), 0)::int AS not_accepted
    FROM (
      SELECT ${keyOf(db, grouping)} AS key, ${timesOf(db)}, ${countOutcome(db, 'true')} AS accepted,
        ${countOutcome(db, 'false')} AS not_accepted, ${countOutcome(db, 'null')} AS unknown
      FROM review_metrics p ${joinedFor(db, grouping)} WHERE p.organization_id = ANY(${window.organizationIds}::uuid[]) AND ${isInWindow(db, window)}) AS p
    GROUP BY ${grouped.sets}`;
  const compared = await compareByKey(db, window, grouping);
  return rows.map((row) => ({ ...row, compared: compared.get(row.key) ?? nothingCompared }));
}
