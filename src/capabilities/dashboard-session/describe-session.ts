import type { Session } from '../../access/session.ts';
import { organizationsOfSession, workspacesOfSession } from '../../access/session-principal.ts';
import type { Database } from '../../db/database.ts';
import { postilCommand } from '../../lib/own-files.ts';

/** Describes for the dashboard who is signed in, and what they may see and do. */
export async function describeSession({ database: { sql } }: { database: Database }, session: Session) {
  const [workspaces, organizations, [account]] = await Promise.all([
    workspacesOfSession(sql, session),
    organizationsOfSession(sql, session),
    sql<{ has_password: boolean }[]>`
      SELECT password_hash IS NOT NULL AS has_password FROM dashboard_accounts WHERE person_id = ${session.personId}`,
  ]);
  return {
    email: session.email,
    is_installation_admin: session.isInstallationAdmin,
    has_password: account?.has_password ?? false,
    postil_command: postilCommand,
    workspaces: workspaces.map(({ isOwnAdmin, ...workspace }) => ({
      ...workspace,
      is_own_admin: isOwnAdmin,
    })),
    organizations: organizations.map(({ organization, rights, account }) => ({
      id: organization.id,
      name: organization.name,
      provider: organization.provider,
      org_id: organization.providerOrgId,
      workspace_id: organization.workspaceId,
      is_self_hosted: organization.instanceId !== null,
      is_enterprise: organization.plan === 'enterprise' && organization.subscriptionActive,
      user_id: account?.userId ?? null,
      is_admin: rights.isAdmin,
      permissions: [...rights.permissions].sort(),
    })),
  };
}
