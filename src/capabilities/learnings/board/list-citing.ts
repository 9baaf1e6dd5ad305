import type { CallerContext } from '../../../access/caller-context.ts';
import { organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { cutPage } from '../../../lib/wire/one-page.ts';
import type { Severity } from '../../../reviewer/finding-vocabulary.ts';
import { citesLearning } from './verdicts.ts';

export interface CitingPosition {
  readonly createdAt: string;
  readonly repository: string;
  readonly number: number;
  readonly findingId: string;
}

/** A comment that cites a Learning. */
export interface CitingFinding {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly accepted: boolean | null;
  readonly path: string;
  readonly repository_id: string;
  readonly repository_name: string;
  readonly pull_request: number;
  readonly created_at: Date;
}

/**
 * The comments that cite a Learning of the scope, or one that was merged into it, the newest first. Empty for a Learning
 * outside of the scope.
 */
export async function listCiting(
  { database: { sql } }: { database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  learningId: string,
  { after, limit }: { readonly after: CitingPosition | undefined; readonly limit: number },
): Promise<{ readonly rows: readonly CitingFinding[]; readonly next: CitingPosition | null }> {
  const found = await sql<(CitingFinding & { position: string; repository: string })[]>`
    SELECT f.finding_id AS id, f.title, f.severity, f.accepted, f.path, r.provider_repository_id AS repository_id,
      r.name AS repository_name, f.pull_request, f.created_at, f.created_at::text AS position, f.repository_id AS repository
    FROM learnings l JOIN review_findings f ON f.organization_id = l.organization_id AND ${citesLearning(sql)}
    JOIN repositories r ON r.organization_id = f.organization_id AND r.id = f.repository_id
    WHERE l.organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND l.id = ${learningId}
      ${
        after === undefined
          ? sql``
          : sql`AND (f.created_at, f.repository_id, f.pull_request, f.finding_id) < (${after.createdAt}::text::timestamptz,
              ${after.repository}::uuid, ${after.number}::integer, ${after.findingId}::text)`
      }
    ORDER BY f.created_at DESC, f.repository_id DESC, f.pull_request DESC, f.finding_id DESC LIMIT ${limit + 1}`;
  const { rows, next } = cutPage(found, limit, (row) => ({
    createdAt: row.position,
    repository: row.repository,
    number: row.pull_request,
    findingId: row.id,
  }));
  return { rows: rows.map(({ position: _, repository: __, ...row }) => row), next };
}
