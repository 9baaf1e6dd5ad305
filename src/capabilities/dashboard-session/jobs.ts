import type { Database } from '../../db/database.ts';
import type { Job } from '../../lib/job.ts';
import { endAccessWithoutRole } from './accounts/end-access.ts';
import { deviceSeconds } from './sign-in/known-places.ts';

/** Deletes expired sessions, links, single sign-ons and known places. */
export function deleteExpiredSessions(deps: { database: Database; clock: () => Date }): Job {
  return {
    name: 'forget-ended-sessions', // a label of the metrics, which must stay the same
    intervalMs: 60 * 60 * 1000,
    async run() {
      const { sql } = deps.database;
      const now = deps.clock();
      await sql`DELETE FROM dashboard_sessions WHERE expires_at <= ${now}`;
      await sql`DELETE FROM dashboard_invitations WHERE expires_at <= ${now}`;
      await sql`DELETE FROM dashboard_sso_flows WHERE expires_at <= ${now}`;
      await sql`
        DELETE FROM dashboard_known_places WHERE last_used_at <= ${new Date(now.getTime() - deviceSeconds * 1000)}`;
      // Covers a session that was started at the very moment the role was lost.
      await endAccessWithoutRole(sql);
    },
  };
}
