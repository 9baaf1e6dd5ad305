import type { CallerContext } from '../../../../access/caller-context.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import type { Database } from '../../../../db/database.ts';
import { AppError } from '../../../../lib/app-error.ts';
import { redactCredentials } from '../../../../redaction/redact-credentials.ts';
import { shownPath } from '../../../../redaction/shown-path.ts';
import type { Severity } from '../../../../reviewer/finding-vocabulary.ts';

/** A finding by its name and place. */
export interface NamedFinding {
  readonly finding_id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly path: string;
  readonly start_line: number | null;
}

/** The differences between a run and the previous one with a result. */
export interface RunComparison {
  readonly previousId: string | null;
  readonly added: readonly NamedFinding[];
  readonly gone: readonly NamedFinding[];
  readonly kept: number;
}

/** Compares findings by their ids, which are stable across the pushes of a pull request. */
export async function compareRuns(
  { database: { sql } }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  runId: string,
): Promise<RunComparison> {
  const organizationId = onlyOrganization(scope).organization.id;
  const [run] = await sql<{ previousId: string | null }[]>`
    SELECT (
      SELECT b.id FROM review_runs b
      WHERE b.organization_id = r.organization_id AND b.repository_id = r.repository_id AND b.pull_request = r.pull_request
        AND b.status IN ('succeeded', 'degraded') AND (b.created_at, b.id) < (r.created_at, r.id)
      ORDER BY b.created_at DESC, b.id DESC LIMIT 1) AS "previousId"
    FROM review_runs r WHERE r.organization_id = ${organizationId} AND r.id = ${runId}`;
  if (run === undefined) throw new AppError('NOT_FOUND', 'There is no such review');
  const findingsOf = (id: string | null) => sql<NamedFinding[]>`
    SELECT finding_id, title, severity, path, start_line FROM review_run_findings
    WHERE organization_id = ${organizationId} AND run_id = ${id} ORDER BY position`;
  const [now, before] = [await findingsOf(runId), await findingsOf(run.previousId)];
  const without = (all: readonly NamedFinding[], others: readonly NamedFinding[]) => {
    const known = new Set(others.map(({ finding_id }) => finding_id));
    return all.filter(({ finding_id }) => !known.has(finding_id)).map(withoutCredentials);
  };
  const added = without(now, before);
  return { previousId: run.previousId, added, gone: without(before, now), kept: now.length - added.length };
}

function withoutCredentials(finding: NamedFinding): NamedFinding {
  return { ...finding, title: redactCredentials(finding.title), path: shownPath(finding.path) };
}
