import type { Database } from '../../db/database.ts';
import { deleteInSteps } from '../../db/delete-in-steps.ts';
import type { Schedule } from '../../lib/schedule.ts';

export const defaultEventMemoryDays = 90;

const intervalMs = 60 * 60_000;
const eventsPerStep = 5_000;

interface ForgetDeps {
  readonly database: Database;
  readonly clock: () => Date;
}

/** Deletes the marks of idempotent events once their time is up: applying such an event again changes nothing. */
export function forgetEvents({ database, clock }: ForgetDeps): Schedule {
  return {
    name: 'intake-forget',
    intervalMs,
    run: (signal) =>
      deleteInSteps(
        signal,
        (limit) => database.sql`
          DELETE FROM received_events WHERE digest IN (
            SELECT digest FROM received_events WHERE forget_at <= ${clock()}
            ORDER BY forget_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
        eventsPerStep,
      ),
  };
}
