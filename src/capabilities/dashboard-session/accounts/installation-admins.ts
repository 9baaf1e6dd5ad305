import { systemActor } from '../../../access/actor.ts';
import type { Database, Db, Tx } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { PersonId } from '../../../lib/ids.ts';
import { type AuditOrigin, recordChanges } from '../../audit-log/record-changes.ts';
import { endAccessWithoutRole } from './end-access.ts';

/** Serializes decisions that depend on whether there are other installation admins. */
export async function lockInstallationAdmins(tx: Tx): Promise<void> {
  await tx`LOCK TABLE dashboard_accounts IN SHARE ROW EXCLUSIVE MODE`;
}

/** SQL condition: the installation has an admin. */
export function hasInstallationAdmin(db: Db) {
  return db`EXISTS (SELECT 1 FROM dashboard_accounts WHERE installation_admin)`;
}

interface AdminRow {
  email: string;
  has_password: boolean;
  last_sign_in_at: Date | null;
}

/** Lists the installation admins by email address, starting after the given one. */
export async function listInstallationAdmins(db: Db, limit: number, after: string | undefined) {
  const rows = await db<AdminRow[]>`
    SELECT p.email, a.password_hash IS NOT NULL AS has_password, a.last_sign_in_at
    FROM dashboard_accounts a JOIN people p ON p.id = a.person_id
    WHERE a.installation_admin ${after === undefined ? db`` : db`AND p.email COLLATE "C" > ${after}`}
    ORDER BY p.email COLLATE "C" LIMIT ${limit + 1}`;
  const page = rows.slice(0, limit);
  return { admins: page, next: rows.length > limit ? page.at(-1)!.email : undefined };
}

/**
 * Revokes a person's installation admin role, or a link that would grant it, immediately on every node. The person keeps
 * other roles; the last admin can be revoked only with `mayLeaveNone`.
 */
export async function revokeInstallationAdmin(
  { database }: { database: Database },
  { email, mayLeaveNone }: { email: string; mayLeaveNone: boolean },
  origin: Omit<AuditOrigin, 'actor'>,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockInstallationAdmins(tx);
    const [link] = await tx`
      DELETE FROM dashboard_invitations WHERE email = ${email} AND installation_admin RETURNING 1`;
    const [admin] = await tx<{ person_id: PersonId; is_last: boolean }[]>`
      SELECT a.person_id, NOT EXISTS (
        SELECT 1 FROM dashboard_accounts o WHERE o.installation_admin AND o.person_id <> a.person_id) AS is_last
      FROM dashboard_accounts a JOIN people p ON p.id = a.person_id WHERE p.email = ${email} AND a.installation_admin`;
    if (admin === undefined && link === undefined)
      throw new AppError('NOT_FOUND', `${email} is not an admin of the installation`);
    if (admin?.is_last && !mayLeaveNone) {
      const message = `${email} is the last admin of the installation; set allow_none to revoke it anyway`;
      throw new AppError('CONFLICT', message);
    }
    if (admin !== undefined)
      await tx`UPDATE dashboard_accounts SET installation_admin = false WHERE person_id = ${admin.person_id}`;
    // An old link for the first admin must not become valid again.
    await tx`DELETE FROM dashboard_invitations WHERE email IS NULL`;
    await endAccessWithoutRole(tx, admin === undefined ? [] : [admin.person_id]);
    await recordChanges(tx, { ...origin, actor: systemActor }, [
      {
        action: 'dashboard.admin_revoked',
        resourceType: 'dashboard_account',
        resourceId: admin?.person_id ?? email,
        resourceSummary: email,
      },
    ]);
  });
}
