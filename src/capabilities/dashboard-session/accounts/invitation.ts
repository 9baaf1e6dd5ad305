import { systemActor } from '../../../access/actor.ts';
import { hashSecret, hasRole, newSecret } from '../../../access/session.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { type AuditOrigin, recordChanges } from '../../audit-log/record-changes.ts';
import { hasInstallationAdmin } from './installation-admins.ts';

const validMs = 24 * 60 * 60 * 1000;

/** A one-time link; the secret is in the fragment, which browsers do not send to servers. */
export interface Invitation {
  readonly path: string;
  readonly expiresAt: Date;
}

/**
 * Invites a person with a role, or a new installation admin, to set a password. The link replaces the person's previous
 * one: a unique index allows one per person.
 */
export async function invite(
  { database }: { database: Database },
  { email, isInstallationAdmin }: { email: string; isInstallationAdmin: boolean },
  origin: Omit<AuditOrigin, 'actor'>,
): Promise<Invitation> {
  return database.transaction(async (tx) => {
    const [known] = await tx`
      SELECT 1 FROM people p LEFT JOIN dashboard_accounts a ON a.person_id = p.id
      WHERE p.email = ${email} AND (a.installation_admin OR ${hasRole(tx, tx`p.id`)})`;
    if (known === undefined && !isInstallationAdmin) {
      throw new AppError(
        'NOT_FOUND',
        'email: nobody with this address is a member of an organization or an admin of a workspace',
      );
    }
    const invitation = await storeInvitation(tx, { email, isInstallationAdmin }, origin.now);
    await recordChanges(tx, { ...origin, actor: systemActor }, [
      {
        action: 'dashboard.invited',
        resourceType: 'dashboard_account',
        resourceId: email,
        resourceSummary: email,
        metadata: { installation_admin: isInstallationAdmin },
      },
    ]);
    return invitation;
  });
}

/** Stores a new link for a person, in place of the previous one. */
export async function storeInvitation(
  tx: Tx,
  { email, isInstallationAdmin }: { email: string; isInstallationAdmin: boolean },
  now: Date,
): Promise<Invitation> {
  const { token, expiresAt } = newInvitation(now);
  await tx`
    INSERT INTO dashboard_invitations (token_hash, email, installation_admin, expires_at, created_at)
    VALUES (${hashSecret(token)}, ${email}, ${isInstallationAdmin}, ${expiresAt}, ${now})
    ON CONFLICT (email) DO UPDATE SET token_hash = excluded.token_hash, installation_admin = excluded.installation_admin,
      expires_at = excluded.expires_at, created_at = excluded.created_at`;
  return { path: `/welcome#${token}`, expiresAt };
}

/**
 * Creates a link for the first admin; undefined once the installation has an admin. Earlier ones stay valid: every node
 * prints one at every start, and the one that somebody finds must work. The first to be used ends them all.
 */
export async function inviteFirstAdmin(
  { database: { sql } }: { database: Database },
  now: Date,
): Promise<Invitation | undefined> {
  const { token, expiresAt } = newInvitation(now);
  const [created] = await sql`
    INSERT INTO dashboard_invitations (token_hash, email, installation_admin, expires_at, created_at)
    SELECT ${hashSecret(token)}, NULL, true, ${expiresAt}, ${now}
    WHERE NOT ${hasInstallationAdmin(sql)}
    RETURNING 1`;
  return created && { path: `/welcome#${token}`, expiresAt };
}

function newInvitation(now: Date) {
  return { token: newSecret(), expiresAt: new Date(now.getTime() + validMs) };
}
