import type { Db, Fragment, Tx } from '../../../../db/database.ts';
import { kindOf } from '../../../../reviewer/judge/identity.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import type { PostedFinding } from '../../publishing/own-comments.ts';
import { findingColumns } from '../../run-findings/finding-columns.ts';
import { toStorableJson } from '../../runs/attempt-store.ts';
import { announcePosted } from './announce-posted.ts';
import type { KnownFinding } from './known-finding.ts';

/** All findings that a pull request has ever had, in the order of their files. */
export async function findKnownFindings(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
): Promise<KnownFinding[]> {
  return db<KnownFinding[]>`
    SELECT ${findingColumns(db)}, f.lineage, f.quote, f.symbol, f.head_revision AS "headRevision", f.in_diff AS "isInDiff",
      f.state, f.accepted,
      CASE WHEN f.comment_id IS NULL THEN NULL
        ELSE jsonb_build_object('commentId', f.comment_id, 'threadId', f.thread_id, 'url', f.url) END AS posted,
      f.released_at IS NOT NULL AS "isReleased", f.last_run_id AS "lastRunId"
    FROM review_findings f
    WHERE f.organization_id = ${organizationId} AND f.repository_id = ${repositoryId} AND f.pull_request = ${number}
    ORDER BY f.path, f.start_line NULLS FIRST, f.finding_id`;
}

/** A finding as a run has seen it. */
export type SeenFinding = Omit<KnownFinding, 'posted' | 'accepted' | 'isReleased'>;

/** Stores the findings that a run has seen: new ones are added, known ones get their present place and state. */
export async function storeSeenFindings(
  tx: Tx,
  { organizationId, repositoryId, number }: PullRequestKey,
  runId: string,
  findings: readonly SeenFinding[],
  now: Date,
): Promise<void> {
  const rows = findings.map((finding) => ({ ...finding, kind: kindOf(finding) }));
  await tx`
    INSERT INTO review_findings AS f (organization_id, repository_id, pull_request, finding_id, kind, lineage, quote, symbol, path,
      side, start_line, end_line, head_revision, in_diff, severity, category, title, body, suggestion, source_kind, source_name,
      learning_ids, related, confidence, rules, cwe, state, first_run_id, last_run_id, created_at, updated_at)
    SELECT ${organizationId}, ${repositoryId}, ${number}, s.identity, s.kind, s.lineage, s.quote, s.symbol, s.path, s.side,
      s."startLine", s."endLine", s."headRevision", s."isInDiff", s.severity, s.category, s.title, s.body, s.suggestion,
      s.source->>'kind', s.source->>'name', s."learningIds", s.related, s.confidence, s.rules, s.cwe, s.state, ${runId},
      s."lastRunId", ${now}, ${now}
    FROM jsonb_to_recordset(${toStorableJson(rows)}::text::jsonb) AS s (identity text, kind text, lineage text, quote text,
      symbol text, path text, side text, "startLine" integer, "endLine" integer, "headRevision" text, "isInDiff" boolean,
      severity text, category text, title text, body text, suggestion text, source jsonb, "learningIds" text[], related jsonb,
      confidence text, rules text[], cwe text, state text, "lastRunId" uuid)
    ON CONFLICT (organization_id, repository_id, pull_request, finding_id) DO UPDATE SET lineage = excluded.lineage,
      quote = excluded.quote, symbol = excluded.symbol, path = excluded.path, side = excluded.side,
      start_line = excluded.start_line, end_line = excluded.end_line, head_revision = excluded.head_revision,
      in_diff = excluded.in_diff, related = excluded.related, confidence = excluded.confidence, rules = excluded.rules,
      cwe = excluded.cwe, ${followingRules(tx)}, state = excluded.state, last_run_id = excluded.last_run_id, updated_at = excluded.updated_at`;
}

/** The text and severity of a finding stay as first reported, unless other rules raise it now, since they may rate it worse. */
function followingRules(tx: Tx): Fragment {
  const follow = (column: string) => tx`
    ${tx(column)} = CASE WHEN coalesce(f.rules, excluded.rules) = excluded.rules THEN f.${tx(column)} ELSE excluded.${tx(column)} END`;
  return tx`${follow('severity')}, ${follow('category')}, ${follow('title')}, ${follow('body')}, ${follow('kind')},
    ${follow('source_kind')}, ${follow('source_name')}`;
}

/** Stores the comments of findings, and announces the new ones. */
export async function storePosted(
  tx: Tx,
  key: PullRequestKey,
  posted: readonly PostedFinding[],
  now: Date,
): Promise<void> {
  const { organizationId, repositoryId, number } = key;
  const stored = await tx<{ id: string }[]>`
    UPDATE review_findings f SET comment_id = p."commentId", thread_id = p."threadId", url = p.url,
      posted_revision = f.head_revision, posted_path = f.path, posted_start_line = f.start_line, posted_end_line = f.end_line,
      posted_at = ${now}, updated_at = ${now}
    FROM jsonb_to_recordset(${JSON.stringify(posted)}::text::jsonb) AS p ("findingId" text, "commentId" text, "threadId" text, url text)
    WHERE f.organization_id = ${organizationId} AND f.repository_id = ${repositoryId} AND f.pull_request = ${number}
      AND f.finding_id = p."findingId" AND f.comment_id IS NULL
    RETURNING f.finding_id AS id`;
  await announcePosted(
    tx,
    key,
    stored.map(({ id }) => id),
    now,
  );
}

/** A finding that was posted, as metrics report it. */
export interface ReportedFinding {
  readonly findingId: string;
  readonly url: string;
  readonly severity: string;
  readonly category: string;
}

export async function findReportedFindings(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
): Promise<ReportedFinding[]> {
  return db<ReportedFinding[]>`
    SELECT finding_id AS "findingId", url, severity, category FROM review_findings
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${number}
      AND url IS NOT NULL
    ORDER BY posted_at, finding_id`;
}
