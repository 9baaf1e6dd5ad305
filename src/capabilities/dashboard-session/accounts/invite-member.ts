import type { CallerContext } from '../../../access/caller-context.ts';
import { organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import { type Invitation, storeInvitation } from './invitation.ts';

interface Invitee {
  readonly organizationId: OrganizationId;
  readonly hasAccount: boolean;
  readonly isElsewhere: boolean;
}

/**
 * Invites a member on behalf of an admin. Whoever has the link can act as the member, so an admin can only invite people
 * whose rights all come from organizations that the admin manages, and who have not signed in before.
 */
export async function inviteMember(
  { database }: { database: Database },
  context: CallerContext,
  email: string,
): Promise<Invitation> {
  const { scope, now, principal } = context;
  const ids = organizationIdsOf(scope);
  const workspaceId = principal.kind === 'workspace' ? principal.workspace.id : null;
  return database.transaction(async (tx) => {
    const [invitee] = await tx<Invitee[]>`
      SELECT m.organization_id AS "organizationId",
        EXISTS (SELECT FROM dashboard_accounts a WHERE a.person_id = p.id)
          OR EXISTS (SELECT FROM dashboard_invitations i WHERE i.email = p.email AND i.installation_admin) AS "hasAccount",
        EXISTS (SELECT FROM members o WHERE o.person_id = p.id AND NOT o.organization_id = ANY(${ids}::uuid[]))
          OR EXISTS (SELECT FROM workspace_admins w
            WHERE w.person_id = p.id AND w.workspace_id IS DISTINCT FROM ${workspaceId}) AS "isElsewhere"
      FROM people p JOIN members m ON m.person_id = p.id AND m.organization_id = ANY(${ids}::uuid[]) AND m.active
      WHERE p.email = ${email} ORDER BY m.organization_id LIMIT 1 FOR NO KEY UPDATE OF p`;
    if (invitee === undefined) throw new AppError('NOT_FOUND', 'email: no member has this address');
    if (invitee.hasAccount)
      throw new AppError(
        'CONFLICT',
        'This person can sign in already. Whoever runs this installation can send a new link.',
      );
    if (invitee.isElsewhere)
      throw new AppError(
        'CONFLICT',
        'This person also belongs to organizations that you do not manage. Ask an admin of the workspace, or whoever runs this installation, to invite them.',
      );
    const invitation = await storeInvitation(tx, { email, isInstallationAdmin: false }, now);
    await recordChanges(tx, context, [
      {
        organizationId: invitee.organizationId,
        action: 'dashboard.invited',
        resourceType: 'dashboard_account',
        resourceId: email,
        resourceSummary: email,
        metadata: { installation_admin: false },
      },
    ]);
    return invitation;
  });
}
