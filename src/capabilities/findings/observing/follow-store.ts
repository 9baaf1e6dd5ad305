import type { Db, Tx } from '../../../db/database.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { FollowedFinding } from './followed-finding.ts';

/** A followed finding, with what is needed to find it at the host. */
export interface StoredFinding extends Omit<FollowedFinding, 'suggestions' | 'isOfPerson' | 'onlyAsks'> {
  readonly findingId: string;
  /** The user name of another reviewer; null for our own. */
  readonly reviewer: string | null;
  readonly source: { readonly kind: 'rule' | 'model' | 'reviewer'; readonly name: string };
  readonly severity: string | null;
  readonly category: string | null;
  readonly title: string;
  readonly url: string;
  readonly threadId: string;
  readonly postedAt: Date;
}

interface Row extends Omit<StoredFinding, 'range' | 'anchor' | 'names'> {
  readonly startLine: number | null;
  readonly endLine: number | null;
  readonly anchorLine: number | null;
  readonly anchorLines: string[] | null;
  readonly names: string[];
}

function findingOf({ startLine, endLine, anchorLine, anchorLines, names, ...row }: Row): StoredFinding {
  return {
    ...row,
    range: startLine === null || endLine === null ? null : { start: startLine, end: endLine },
    anchor:
      anchorLine === null || anchorLines === null ? null : { firstLine: anchorLine, lines: anchorLines },
    names: new Set(names),
  };
}

/** The followed findings of a pull request, in the order in which they were posted. */
export async function findFollowed(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
): Promise<StoredFinding[]> {
  const rows = await db<Row[]>`
    SELECT finding_id AS "findingId", reviewer, jsonb_build_object('kind', source_kind, 'name', source_name) AS source, severity,
      category, title, url, thread_id AS "threadId", posted_at AS "postedAt", revision, merge_base AS "mergeBase", path, side,
      start_line AS "startLine", end_line AS "endLine", anchor_line AS "anchorLine", anchor_lines AS "anchorLines", names, suggestion
    FROM followed_findings
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${number}
    ORDER BY posted_at, finding_id`;
  return rows.map(findingOf);
}

/** Starts following findings; those that are followed already keep their original facts. */
export async function follow(
  tx: Tx | Db,
  { organizationId, repositoryId, number }: PullRequestKey,
  findings: readonly StoredFinding[],
): Promise<void> {
  const rows = findings.map(({ range, anchor, names, source, ...finding }) => ({
    ...finding,
    sourceKind: source.kind,
    sourceName: source.name,
    startLine: range?.start ?? null,
    endLine: range?.end ?? null,
    anchorLine: anchor?.firstLine ?? null,
    anchorLines: anchor?.lines ?? null,
    names: [...names],
  }));
  if (rows.length === 0) return;
  await tx`
    INSERT INTO followed_findings (organization_id, repository_id, pull_request, finding_id, reviewer, source_kind, source_name,
      severity, category, title, url, thread_id, posted_at, revision, merge_base, path, side, start_line, end_line, anchor_line,
      anchor_lines, names, suggestion)
    SELECT ${organizationId}, ${repositoryId}, ${number}, f."findingId", f.reviewer, f."sourceKind", f."sourceName", f.severity,
      f.category, f.title, f.url, f."threadId", f."postedAt", f.revision, f."mergeBase", f.path, f.side, f."startLine", f."endLine",
      f."anchorLine", f."anchorLines", f.names, f.suggestion
    FROM jsonb_to_recordset(${storable(rows)}::text::jsonb) AS f ("findingId" text, reviewer text, "sourceKind" text,
      "sourceName" text, severity text, category text, title text, url text, "threadId" text, "postedAt" timestamptz, revision text,
      "mergeBase" text, path text, side text, "startLine" integer, "endLine" integer, "anchorLine" integer, "anchorLines" text[],
      names text[], suggestion text)
    ON CONFLICT DO NOTHING`;
}

/** JSON that PostgreSQL accepts, since code and comments can contain any character. */
function storable(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' ? inner.replaceAll('\0', '').toWellFormed() : inner,
  );
}
