import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import type { Severity } from '../../../lib/sarif/severity.ts';
import type { FindingState } from '../schemas.ts';

/** Counts the findings in scope by state and severity. */
export async function summariseFindings(
  { database: { sql } }: { database: Database },
  { scope }: { readonly scope: OrgScope },
) {
  const counts = await sql<{ state: FindingState; severity: Severity; count: number }[]>`
    SELECT state, severity, count(*)::int AS count FROM security_findings
    WHERE organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND state IS NOT NULL
    GROUP BY state, severity`;
  return { counts };
}
