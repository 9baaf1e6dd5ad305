import type { Database } from '../../db/database.ts';
import type { Job } from '../../lib/job.ts';

export const defaultEventMemoryDays = 90;

const intervalMs = 60 * 60_000;
const eventsPerStep = 5_000;

interface ForgetDeps {
  readonly database: Database;
  readonly clock: () => Date;
}

/** Deletes the marks of idempotent events once their time is up: applying such an event again changes nothing. */
export function forgetEvents({ database, clock }: ForgetDeps): Job {
  return {
    name: 'intake-forget',
    intervalMs,
    async run(signal) {
      for (let deleted = eventsPerStep; deleted === eventsPerStep && !signal.aborted; ) {
        const { count } = await database.sql`
          DELETE FROM received_events WHERE digest IN (
            SELECT digest FROM received_events WHERE forget_at <= ${clock()}
            ORDER BY forget_at LIMIT ${eventsPerStep} FOR UPDATE SKIP LOCKED)`;
        deleted = count;
      }
    },
  };
}
