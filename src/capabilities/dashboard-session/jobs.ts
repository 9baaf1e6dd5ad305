import type { Database } from '../../db/database.ts';
import type { Job } from '../../lib/job.ts';
import { endAccessWithoutRole } from './accounts/end-access.ts';
import { deviceSeconds } from './sign-in/known-places.ts';

/** Forgets sessions, links and sign-ins that are over. */
export function forgetEndedSessions(deps: { database: Database; clock: () => Date }): Job {
  return {
    name: 'forget-ended-sessions',
    intervalMs: 60 * 60 * 1000,
    async run() {
      const { sql } = deps.database;
      const now = deps.clock();
      await sql`DELETE FROM dashboard_sessions WHERE expires_at <= ${now}`;
      await sql`DELETE FROM dashboard_invitations WHERE expires_at <= ${now}`;
      await sql`DELETE FROM dashboard_sso_flows WHERE expires_at <= ${now}`;
      await sql`
        DELETE FROM dashboard_known_places WHERE last_used_at <= ${new Date(now.getTime() - deviceSeconds * 1000)}`;
      // For a session that began in the very moment in which the role was lost.
      await endAccessWithoutRole(sql);
    },
  };
}
