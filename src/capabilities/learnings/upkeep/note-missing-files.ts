import type { Database } from '../../../db/database.ts';
import type { RepositoryKey } from '../learning-record.ts';

/** Returns which of these files and folders the repository has. */
export type FindPresent = (paths: readonly string[]) => Promise<readonly string[]>;

/**
 * Records which Learnings of a repository are about a file or folder that its default branch no longer has. Called when the
 * branch was read; if the file was already missing, the earlier time stays.
 */
export async function noteMissingFiles(
  { database: { sql } }: { database: Database },
  { organizationId, repositoryId }: RepositoryKey,
  now: Date,
  findPresent: FindPresent,
): Promise<void> {
  const rows = await sql<{ file: string }[]>`
    SELECT DISTINCT file FROM learnings
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND file IS NOT NULL`;
  if (rows.length === 0) return;
  const files = rows.map(({ file }) => file);
  const present = new Set(await findPresent(files));
  const missing = files.filter((file) => !present.has(file));
  await sql`
    UPDATE learnings SET file_missing_since = CASE WHEN file = ANY(${missing}::text[]) THEN ${now}::timestamptz END
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND file = ANY(${files}::text[])
      AND (file_missing_since IS NOT NULL) <> (file = ANY(${missing}::text[]))`;
}
