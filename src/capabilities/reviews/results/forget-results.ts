import type { Database } from '../../../db/database.ts';
import { deleteInSteps } from '../../../db/delete-in-steps.ts';
import type { Schedule } from '../../../lib/schedule.ts';
import { keptHours } from './results-store.ts';

const intervalMs = 10 * 60_000;
const rowsPerStep = 100;

/** Deletes results that no run will need any more. */
export function forgetResults({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: () => Date;
}): Schedule {
  return {
    name: 'forget review results',
    intervalMs,
    run: (signal) =>
      deleteInSteps(
        signal,
        (limit) => database.sql`
          DELETE FROM review_results WHERE (organization_id, repository_id, head_revision, digest) IN (
            SELECT organization_id, repository_id, head_revision, digest FROM review_results
            WHERE received_at <= ${new Date(clock().getTime() - keptHours * 3_600_000)}
            ORDER BY received_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
        rowsPerStep,
      ),
  };
}
