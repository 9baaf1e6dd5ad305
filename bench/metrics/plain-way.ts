import type { Sql } from '../../src/db/database.ts';
import type { OrganizationId } from '../../src/lib/ids.ts';
import type { Window } from './page-statement.ts';

/**
 * Lays the data out as one would first think of: a table of pull requests and a table of comments, of all organizations
 * but the largest, which would take as long again as the whole data set.
 */
export async function layOutPlainly(sql: Sql, largest: OrganizationId): Promise<void> {
  await sql`DROP TABLE IF EXISTS bench_comments, bench_pull_requests`;
  await sql`
    CREATE TABLE bench_pull_requests AS
    SELECT m.organization_id, m.write_seq AS seq, m.merged_at, e.entry->>'pr_url' AS url, e.entry->>'organization_id' AS org_id,
      e.entry->>'repository_id' AS repository_id, e.entry->>'author_id' AS author_id
    FROM review_metrics m, LATERAL (SELECT m.entry::json AS entry) AS e
    WHERE m.storage_id = 0 AND m.write_seq IS NOT NULL AND m.entry IS NOT NULL AND m.organization_id <> ${largest}`;
  await sql`
    CREATE TABLE bench_comments AS
    SELECT m.organization_id, m.write_seq AS seq, c.position, c.comment->>'url' AS url, c.comment->>'severity' AS severity,
      c.comment->>'category' AS category, (c.comment->>'accepted')::boolean AS accepted
    FROM review_metrics m, json_array_elements(m.entry::json->'coderabbit_comments') WITH ORDINALITY AS c (comment, position)
    WHERE m.storage_id = 0 AND m.write_seq IS NOT NULL AND m.entry IS NOT NULL AND m.organization_id <> ${largest}`;
  await sql`CREATE INDEX ON bench_pull_requests (organization_id, seq)`;
  await sql`CREATE INDEX ON bench_comments (organization_id, seq, position)`;
  await sql`ANALYZE bench_pull_requests, bench_comments`;
}

interface PlainRow {
  readonly url: string;
  readonly org_id: string;
  readonly repository_id: string;
  readonly author_id: string | null;
  readonly merged_at: Date;
  readonly comments: unknown[];
}

/** A first page of 1000 by the plain way: rows joined by the database, parsed, made to JSON again. */
export async function plainPage(
  sql: Sql,
  organizationId: OrganizationId,
  { start, end }: Window,
): Promise<Buffer> {
  const rows = await sql<PlainRow[]>`
    SELECT p.url, p.org_id, p.repository_id, p.author_id, p.merged_at, (
      SELECT json_agg(json_build_object('url', c.url, 'severity', c.severity, 'category', c.category,
        'accepted', c.accepted) ORDER BY c.position)
      FROM bench_comments c WHERE c.organization_id = p.organization_id AND c.seq = p.seq) AS comments
    FROM bench_pull_requests p
    WHERE p.organization_id = ${organizationId} AND p.merged_at >= ${start}::date AND p.merged_at < ${end}::date + 1
    ORDER BY p.seq LIMIT 1001`;
  const data = rows.slice(0, 1000).map((row) => ({
    pr_url: row.url,
    organization_id: row.org_id,
    repository_id: row.repository_id,
    author_id: row.author_id,
    merged_at: row.merged_at,
    coderabbit_comments: row.comments,
  }));
  return Buffer.from(JSON.stringify({ data, next_cursor: 'x' }));
}
