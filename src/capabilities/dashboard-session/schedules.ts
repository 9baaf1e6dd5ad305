import type { Database } from '../../db/database.ts';
import { deleteInSteps } from '../../db/delete-in-steps.ts';
import type { Schedule } from '../../lib/schedule.ts';
import { endAccessWithoutRole } from './accounts/end-access.ts';
import { deviceSeconds } from './sign-in/known-places.ts';

/** Deletes expired sessions, links, single sign-ons and known places. */
export function deleteExpiredSessions(deps: { database: Database; clock: () => Date }): Schedule {
  return {
    name: 'forget-ended-sessions', // a label of the metrics, which must stay the same
    intervalMs: 60 * 60 * 1000,
    async run(signal) {
      const { sql } = deps.database;
      const now = deps.clock();
      const forgottenAt = new Date(now.getTime() - deviceSeconds * 1000);
      for (const deleteSome of [
        (limit: number) => sql`
          DELETE FROM dashboard_sessions WHERE id_hash IN (
            SELECT id_hash FROM dashboard_sessions WHERE expires_at <= ${now} LIMIT ${limit})`,
        (limit: number) => sql`
          DELETE FROM dashboard_invitations WHERE token_hash IN (
            SELECT token_hash FROM dashboard_invitations WHERE expires_at <= ${now} LIMIT ${limit})`,
        (limit: number) => sql`
          DELETE FROM dashboard_sso_flows WHERE state_hash IN (
            SELECT state_hash FROM dashboard_sso_flows WHERE expires_at <= ${now} LIMIT ${limit})`,
        (limit: number) => sql`
          DELETE FROM dashboard_known_places WHERE (person_id, place_hash) IN (
            SELECT person_id, place_hash FROM dashboard_known_places WHERE last_used_at <= ${forgottenAt} LIMIT ${limit})`,
      ])
        await deleteInSteps(signal, deleteSome);
      // Covers a session that was started at the very moment the role was lost.
      await endAccessWithoutRole(sql, 'everybody');
    },
  };
}
