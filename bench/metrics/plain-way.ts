import type { Sql } from '../../src/db/database.ts';
import type { OrganizationId } from '../../src/lib/ids.ts';

/**
 * Stores the data in the most obvious schema, a table of pull requests and a table of comments, and in a better one, a table
 * with the text of each entry in reading order. The organizations in `without` are left out: they are never read this way, and
 * would take several times as long as the others.
 */
export async function layOutPlainly(sql: Sql, without: readonly OrganizationId[]): Promise<void> {
  await sql`DROP TABLE IF EXISTS bench_comments, bench_pull_requests, bench_entries`;
  await sql`
    CREATE TABLE bench_pull_requests AS
    SELECT m.organization_id, m.write_seq AS seq, m.created_at, m.first_human_review_at, m.merged_at, m.review_iterations,
      e.entry->>'pr_url' AS url, e.entry->>'organization_id' AS org_id,
      e.entry->>'repository_id' AS repository_id, e.entry->>'author_id' AS author_id
    FROM review_metrics m, LATERAL (SELECT m.entry::json AS entry) AS e
    WHERE m.storage_id = 0 AND m.write_seq IS NOT NULL AND m.entry IS NOT NULL AND m.organization_id <> ALL(${without}::uuid[])`;
  await sql`
    CREATE TABLE bench_comments AS
    SELECT m.organization_id, m.write_seq AS seq, c.position, c.comment->>'url' AS url, c.comment->>'severity' AS severity,
      c.comment->>'category' AS category, (c.comment->>'accepted')::boolean AS accepted
    FROM review_metrics m, json_array_elements(m.entry::json->'coderabbit_comments') WITH ORDINALITY AS c (comment, position)
    WHERE m.storage_id = 0 AND m.write_seq IS NOT NULL AND m.entry IS NOT NULL AND m.organization_id <> ALL(${without}::uuid[])`;
  await sql`
    CREATE TABLE bench_entries AS
    SELECT m.organization_id, m.write_seq AS seq, m.merged_at, m.entry
    FROM review_metrics m
    WHERE m.storage_id = 0 AND m.write_seq IS NOT NULL AND m.entry IS NOT NULL AND m.organization_id <> ALL(${without}::uuid[])
    ORDER BY m.organization_id, m.write_seq`;
  await sql`CREATE INDEX ON bench_entries (organization_id, seq)`;
  await sql`CREATE INDEX ON bench_pull_requests (organization_id, seq)`;
  await sql`CREATE INDEX ON bench_comments (organization_id, seq, position)`;
  await sql`VACUUM ANALYZE bench_pull_requests, bench_comments, bench_entries`;
}
