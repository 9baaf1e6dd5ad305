import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { cutPage } from '../../../lib/wire/one-page.ts';
import { type ExportedLearning, exportBody, exportJoins, readExported } from '../export/export-rows.ts';

/** A pending Learning, with the time at which it is approved automatically. */
export type PendingLearning = ExportedLearning & { readonly approval_deadline: string };

/** The last Learning of a page; the deadline as the database writes it, to the microsecond. */
export interface PendingPosition {
  readonly deadline: string;
  readonly id: string;
}

interface PendingRow extends PendingPosition {
  readonly body: string;
  readonly approval_deadline: Date;
}

/** The Learnings in scope that are pending approval, the most urgent first. The total is counted for the first page only. */
export async function listPendingLearnings(
  { database: { sql } }: { database: Database },
  { scope, now }: { readonly scope: OrgScope; readonly now: Date },
  { after, limit }: { after: PendingPosition | undefined; limit: number },
): Promise<{ data: PendingLearning[]; total: number | null; next: PendingPosition | null }> {
  const organizationIds = organizationIdsOf(scope);
  const pending = sql`l.approval = 'pending' AND l.approval_deadline > ${now}`;
  const found = await sql<PendingRow[]>`
    SELECT ${exportBody(sql)} AS body, l.approval_deadline, l.approval_deadline::text AS deadline, l.id
    FROM learnings l ${exportJoins(sql)}
    WHERE l.organization_id = ANY(${organizationIds}::uuid[]) AND ${pending}
      ${after === undefined ? sql`` : sql`AND (l.approval_deadline, l.id) > (${after.deadline}::text::timestamptz, ${after.id}::uuid)`}
    ORDER BY l.approval_deadline, l.id LIMIT ${limit + 1}`;
  const { rows, next } = cutPage(found, limit, ({ deadline, id }) => ({ deadline, id }));
  const [counted] =
    after === undefined
      ? await sql<{ count: number }[]>`
          SELECT count(*)::int AS count FROM learnings l
          WHERE l.organization_id = ANY(${organizationIds}::uuid[]) AND ${pending}`
      : [];
  return {
    data: rows.map((row) => ({
      ...readExported(row.body),
      approval_deadline: row.approval_deadline.toISOString(),
    })),
    total: counted?.count ?? null,
    next,
  };
}
