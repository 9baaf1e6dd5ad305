import type { Db, Fragment } from '../../../db/database.ts';
import { type CommentFilter, selectsComments } from './insight-filter.ts';

/**
 * The comments of the pull request `p` as rows `c (position, finding_id, url, severity, category, accepted, source, chance)`, for
 * a lateral join. What metrics do not keep, such as who raised a comment, is looked up by the key of the finding.
 */
export function commentsOf(db: Db, filter: CommentFilter): Fragment {
  return db`
    SELECT * FROM (
      SELECT listed.position, listed.fact->>0 AS finding_id, listed.comment->>'url' AS url, listed.comment->>'severity' AS severity,
        listed.comment->>'category' AS category, (listed.comment->>'accepted')::boolean AS accepted,
        CASE WHEN f.reviewer IS NOT NULL THEN 'reviewer:' || f.reviewer ELSE coalesce(f.source_kind, own.source_kind, 'reported') END
          AS source, coalesce(f.title, own.title) AS title, coalesce(f.path, own.path) AS path,
        coalesce(f.start_line, own.start_line) AS start_line, o.chance, o.signal
      FROM ROWS FROM (json_array_elements(p.entry::json->'coderabbit_comments'), json_array_elements(p.finding_facts::json->'listed'))
        WITH ORDINALITY AS listed (comment, fact, position)
      LEFT JOIN followed_findings f ON f.organization_id = p.organization_id AND f.repository_id = p.repository_id
        AND f.pull_request = p.number AND f.finding_id = listed.fact->>0
      LEFT JOIN review_findings own ON own.organization_id = p.organization_id AND own.repository_id = p.repository_id
        AND own.pull_request = p.number AND own.finding_id = listed.fact->>0
      LEFT JOIN finding_outcomes o ON o.organization_id = p.organization_id AND o.repository_id = p.repository_id
        AND o.subject = 'pull/' || p.number AND o.finding_id = listed.fact->>0) AS comment
    WHERE ${isSelected(db, filter)}`;
}

function isSelected(db: Db, { source, severity, category, outcome }: CommentFilter): Fragment {
  const isNamed = (column: Fragment, name: string | undefined) => {
    if (name === undefined) return db`true`;
    return name === 'none' ? db`${column} IS NULL` : db`${column} = ${name}`;
  };
  const accepted = { accepted: db`accepted`, not_accepted: db`NOT accepted`, unknown: db`accepted IS NULL` };
  return db`${isNamed(db`source`, source)} AND ${isNamed(db`severity`, severity)} AND ${isNamed(db`category`, category)}
    AND ${outcome === undefined ? db`true` : accepted[outcome]}`;
}

/** Whether the pull request `p` has a comment that is wanted; true if no certain ones are. */
export function hasSelectedComment(db: Db, filter: CommentFilter): Fragment {
  if (!selectsComments(filter)) return db`true`;
  return db`(p.entry IS NOT NULL AND EXISTS (${commentsOf(db, filter)}))`;
}
