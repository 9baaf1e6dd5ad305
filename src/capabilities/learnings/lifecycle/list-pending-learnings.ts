import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { type ExportedLearning, exportBody, exportJoins, readExported } from '../export/export-rows.ts';

/** A pending Learning, with the time at which it is approved automatically. */
export type PendingLearning = ExportedLearning & { readonly approval_deadline: string };

const maxListed = 500;

/** The Learnings in scope that are pending approval, the most urgent first. */
export async function listPendingLearnings(
  { database: { sql } }: { database: Database },
  { scope, now }: { readonly scope: OrgScope; readonly now: Date },
): Promise<PendingLearning[]> {
  const rows = await sql<{ body: string; approval_deadline: Date }[]>`
    SELECT ${exportBody(sql)} AS body, l.approval_deadline FROM learnings l ${exportJoins(sql)}
    WHERE l.organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND l.approval = 'pending'
      AND l.approval_deadline > ${now}
    ORDER BY l.approval_deadline, l.id LIMIT ${maxListed}`;
  return rows.map((row) => ({
    ...readExported(row.body),
    approval_deadline: row.approval_deadline.toISOString(),
  }));
}
