import type { Sql } from '../../src/db/database.ts';
import type { OrganizationId } from '../../src/lib/ids.ts';
import type { Window } from './page-statement.ts';

/** Lays the same data out as one would first think of: a table of pull requests and a table of comments. */
export async function layOutPlainly(sql: Sql, organizationId: OrganizationId): Promise<void> {
  await sql`DROP TABLE IF EXISTS bench_comments, bench_pull_requests`;
  await sql`
    CREATE TABLE bench_pull_requests AS
    SELECT organization_id, write_seq AS seq, merged_at, (entry_head || '"x":0}')::json AS head
    FROM review_metrics WHERE storage_id = 0 AND organization_id = ${organizationId}`;
  await sql`
    CREATE TABLE bench_comments AS
    SELECT m.organization_id, m.write_seq AS seq, c.position, c.comment->>'url' AS url, c.comment->>'severity' AS severity,
      c.comment->>'category' AS category, (c.comment->>'accepted')::boolean AS accepted
    FROM review_metrics m, json_array_elements(m.comments::json) WITH ORDINALITY AS c (comment, position)
    WHERE m.storage_id = 0 AND m.organization_id = ${organizationId}`;
  await sql`CREATE INDEX ON bench_pull_requests (organization_id, seq)`;
  await sql`CREATE INDEX ON bench_comments (organization_id, seq, position)`;
  await sql`ANALYZE bench_pull_requests, bench_comments`;
}

/** A first page of 1000 by the plain way: rows joined by the database, parsed, made to JSON again. */
export async function plainPage(
  sql: Sql,
  organizationId: OrganizationId,
  { start, end }: Window,
): Promise<Buffer> {
  const rows = await sql<{ head: Record<string, unknown>; comments: unknown[] }[]>`
    SELECT p.head, (
      SELECT json_agg(json_build_object('url', c.url, 'severity', c.severity, 'category', c.category,
        'accepted', c.accepted) ORDER BY c.position)
      FROM bench_comments c WHERE c.organization_id = p.organization_id AND c.seq = p.seq) AS comments
    FROM bench_pull_requests p
    WHERE p.organization_id = ${organizationId} AND p.merged_at >= ${start}::date AND p.merged_at < ${end}::date + 1
    ORDER BY p.seq LIMIT 1001`;
  const data = rows.slice(0, 1000).map(({ head, comments }) => ({ ...head, coderabbit_comments: comments }));
  return Buffer.from(JSON.stringify({ data, next_cursor: 'x' }));
}
