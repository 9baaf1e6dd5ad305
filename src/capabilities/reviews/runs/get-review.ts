import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { Run } from './run-record.ts';
import { findRun } from './store.ts';

/** A run of the organization, with its findings and coverage. */
export async function getReview(
  { database }: { database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  runId: string,
): Promise<Run> {
  const run = await findRun(database.sql, { organizationId: onlyOrganization(scope).organization.id, runId });
  if (run === undefined) throw new AppError('NOT_FOUND', 'There is no such review');
  return run;
}
