import type { Db } from '../../db/database.ts';

/** Whether a person can sign in to the dashboard, has an invitation, or has neither. */
export type DashboardAccess = 'none' | 'invited' | 'active';

/**
 * The dashboard access of the person `p`. Not EXISTS: in a long list PostgreSQL would read all accounts of the installation for it
 * once, instead of looking up those of the page.
 */
export function dashboardAccess(db: Db, now: Date) {
  return db`
    CASE WHEN (SELECT true FROM dashboard_accounts a WHERE a.person_id = p.id) THEN 'active'
      WHEN (SELECT true FROM dashboard_invitations i WHERE i.email = p.email AND i.expires_at > ${now}) THEN 'invited'
      ELSE 'none' END`;
}
