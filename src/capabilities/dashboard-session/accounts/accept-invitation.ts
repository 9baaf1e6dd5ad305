import { hashSecret, hasRole } from '../../../access/session.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { PersonId } from '../../../lib/ids.ts';
import { postilCommand } from '../../../lib/own-files.ts';
import { newUuid } from '../../../lib/uuid.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import type { DashboardDeps, SignedIn, SignInOrigin } from '../deps.ts';
import { countInvalidLink } from '../sign-in/attempts.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { personActor, startSession } from '../sign-in/start-session.ts';
import { endPriorAccess } from './end-access.ts';
import { hasInstallationAdmin, lockInstallationAdmins } from './installation-admins.ts';

interface InvitationRow {
  email: string | null;
  installation_admin: boolean;
}

/** The error for an invalid link; it says where to get a new one, which without an admin is the command line. */
async function invalidLink(db: Db): Promise<AppError> {
  const [row] = await db<{ has_admin: boolean }[]>`SELECT ${hasInstallationAdmin(db)} AS has_admin`;
  const message = row!.has_admin
    ? 'This link has been used, replaced or has expired; ask for a new one'
    : `This link is incorrect or has expired, and there is no admin yet. Start the server again, which prints a new link, or run "${postilCommand} invite --admin EMAIL"`;
  return new AppError('NOT_FOUND', message);
}

/** SQL condition for the valid link with this token: the first admin's until there is an admin, others while the person has a role. */
function isValidLink(db: Db, token: string, now: Date) {
  return db`token_hash = ${hashSecret(token)} AND expires_at > ${now} AND CASE
    WHEN email IS NULL THEN NOT ${hasInstallationAdmin(db)}
    WHEN installation_admin THEN true
    ELSE EXISTS (
      SELECT 1 FROM people p LEFT JOIN dashboard_accounts a ON a.person_id = p.id
      WHERE p.email = dashboard_invitations.email AND (a.installation_admin OR ${hasRole(db, db`p.id`)})) END`;
}

/** Returns whom a link is for; null stands for the first admin, who supplies an address. */
export async function readInvitation(
  { database, limiter }: DashboardDeps,
  token: string,
  origin: SignInOrigin,
): Promise<{ email: string | null }> {
  const { sql } = database;
  const [row] = await sql<InvitationRow[]>`
    SELECT email FROM dashboard_invitations WHERE ${isValidLink(sql, token, origin.now)}`;
  if (row === undefined) {
    await countInvalidLink(limiter, origin.ipAddress);
    throw await invalidLink(sql);
  }
  return { email: row.email };
}

async function redeemLink(tx: Tx, token: string, now: Date): Promise<InvitationRow> {
  await lockInstallationAdmins(tx);
  const [row] = await tx<InvitationRow[]>`
    DELETE FROM dashboard_invitations WHERE ${isValidLink(tx, token, now)} RETURNING email, installation_admin`;
  if (row === undefined) throw await invalidLink(tx);
  return row;
}

/** Sets the password of the person a link is for, ends their other links and sessions, and signs them in. */
export async function acceptInvitation(
  deps: DashboardDeps,
  request: { token: string; email?: string | undefined; password: string },
  origin: SignInOrigin,
): Promise<SignedIn> {
  // Checked before hashing, because hashing is expensive and must not be available to everybody.
  await readInvitation(deps, request.token, origin);
  const passwordHash = await hashPassword(request.password);
  return deps.database.transaction(async (tx) => {
    const invitation = await redeemLink(tx, request.token, origin.now);
    const email = invitation.email ?? request.email;
    if (email === undefined) throw new AppError('INVALID_REQUEST', 'email: is required');
    await tx`INSERT INTO people (id, email, created_at) VALUES (${newUuid()}, ${email}, ${origin.now}) ON CONFLICT (email) DO NOTHING`;
    const [person] = await tx<{ id: PersonId; email: string }[]>`
      SELECT id, email FROM people WHERE email = ${email}`;
    await tx`
      INSERT INTO dashboard_accounts AS a (person_id, password_hash, installation_admin, created_at)
      VALUES (${person!.id}, ${passwordHash}, ${invitation.installation_admin}, ${origin.now})
      ON CONFLICT (person_id) DO UPDATE SET password_hash = excluded.password_hash,
        installation_admin = a.installation_admin OR excluded.installation_admin`;
    await endPriorAccess(tx, person!);
    if (invitation.installation_admin) await tx`DELETE FROM dashboard_invitations WHERE email IS NULL`;
    await recordChanges(tx, { ...origin, actor: personActor(person!) }, [
      {
        action: 'dashboard.password_set',
        resourceType: 'dashboard_account',
        resourceId: person!.id,
        resourceSummary: email,
        metadata: { installation_admin: invitation.installation_admin },
      },
    ]);
    return startSession(tx, person!, 'invitation', origin);
  });
}
