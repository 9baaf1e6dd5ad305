import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Db, Fragment } from '../../../db/database.ts';

/** The outcomes of the comments that cite a Learning. */
export interface Verdicts {
  /** Comments that were accepted. */
  readonly followed: number;
  /** Comments that were not accepted. */
  readonly contradicted: number;
  readonly undecided: number;
}

const sums = (db: Db) => db`
  count(*) FILTER (WHERE f.accepted)::int AS followed, count(*) FILTER (WHERE NOT f.accepted)::int AS contradicted,
  count(*) FILTER (WHERE f.accepted IS NULL)::int AS undecided`;

/** Whether `learnings m` was merged into another and has not been restored. */
const isMerged = (db: Db) => db`m.merged_into IS NOT NULL AND m.approval = 'disapproved'`;

/** The ids by which comments cite `learnings l`: its own, and those of Learnings that were merged into it. */
const citedAs = (db: Db) => db`(
  ARRAY[l.id::text] || ARRAY(SELECT m.id::text FROM learnings m
    WHERE m.organization_id = l.organization_id AND m.merged_into = l.id AND ${isMerged(db)}))`;

/** Whether `review_findings f` of the same organization cites `learnings l`, in a form that can use an index. */
export function citesLearning(db: Db): Fragment {
  return db`cardinality(f.learning_ids) > 0 AND f.learning_ids && ${citedAs(db)}`;
}

/** The verdicts on comments that cite `learnings l`; the cost depends on the number of those comments. */
export function verdictsOfOne(db: Db): Fragment {
  return db`
    SELECT ${sums(db)} FROM review_findings f
    WHERE f.organization_id = l.organization_id AND ${citesLearning(db)}`;
}

/** The verdicts on all comments that cite Learnings, by Learning: for lists that are filtered or sorted by them. */
export function verdictsOfAll(db: Db, scope: OrgScope): Fragment {
  return db`
    SELECT f.organization_id, coalesce(m.merged_into, f.id) AS learning_id, ${sums(db)}
    FROM (
      SELECT f.organization_id, f.accepted, c.id::uuid AS id
      FROM review_findings f CROSS JOIN LATERAL unnest(f.learning_ids) AS c (id)
      WHERE f.organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND cardinality(f.learning_ids) > 0
        AND c.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$') AS f
    LEFT JOIN learnings m ON m.organization_id = f.organization_id AND m.id = f.id AND ${isMerged(db)}
    GROUP BY 1, 2`;
}
