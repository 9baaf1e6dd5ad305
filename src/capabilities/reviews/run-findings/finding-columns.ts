import type { Db, Fragment } from '../../../db/database.ts';

/** The columns of a finding as it is presented, without its outcome; needs a table of findings `f`. */
export function findingColumns(db: Db): Fragment {
  return db`
    f.finding_id AS identity, f.path, f.side, f.start_line AS "startLine", f.end_line AS "endLine", f.severity, f.category,
    f.title, f.body, f.suggestion, jsonb_build_object('kind', f.source_kind, 'name', f.source_name) AS source,
    f.learning_ids AS "learningIds", f.related, f.cwe,
    -- Nodes of an earlier version store neither.
    coalesce(f.confidence, CASE f.source_kind WHEN 'rule' THEN 'proven' ELSE 'likely' END) AS confidence,
    coalesce(f.rules, CASE f.source_kind WHEN 'rule' THEN ARRAY[f.source_name] ELSE '{}' END) AS rules`;
}
