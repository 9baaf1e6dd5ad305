import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { WorkspacePrincipal } from '../../access/principal.ts';
import type { Database, Tx } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { PersonId } from '../../lib/ids.ts';
import { createKey } from './create-key.ts';
import { emptyBinding, type KeyBinding } from './key-binding.ts';
import type { OwnKeyRequest, OwnTokenRequest } from './schemas.ts';

/**
 * A key acts with its owner's rights, so people may only create keys for themselves. An Admin, who has every right
 * anyway, may also create one for another member.
 */
async function bindToMember(
  tx: Tx,
  context: CallerContext,
  requestedOwner: string | undefined,
): Promise<KeyBinding> {
  const { organization, rights } = onlyOrganization(context.scope);
  const own = context.principal.owner?.userId ?? undefined;
  const ownerUserId = requestedOwner ?? own;
  if (ownerUserId === undefined)
    throw new AppError(
      'INVALID_REQUEST',
      'owner: is required, because you have no account in this organization',
    );
  if (ownerUserId !== own && !rights.isAdmin)
    throw new AppError('NOT_ADMIN', 'Only an Admin can create keys for other members');
  const [member] = await tx`
    SELECT 1 FROM members
    WHERE organization_id = ${organization.id} AND provider_user_id = ${ownerUserId} AND active`;
  if (member === undefined)
    throw new AppError('NOT_FOUND', `owner: ${ownerUserId} is not an active member of the organization`);
  return { ...emptyBinding, organizationId: organization.id, ownerUserId };
}

/** Creates an organization's key for the signed-in person or, if they are an Admin, for another member. */
export async function createOwnKey(
  deps: { database: Database },
  context: CallerContext,
  request: OwnKeyRequest,
) {
  return createKey(deps, request, (tx) => bindToMember(tx, context, request.owner), context);
}

async function bindToAdmin(
  tx: Tx,
  { workspace, owner }: WorkspacePrincipal,
  requestedOwner: string | undefined,
) {
  const [admin] = await tx<{ id: PersonId }[]>`
    SELECT p.id FROM workspace_admins a JOIN people p ON p.id = a.person_id
    WHERE a.workspace_id = ${workspace.id} AND p.email = ${requestedOwner ?? owner.email}`;
  if (admin === undefined)
    throw new AppError('INVALID_REQUEST', 'owner: only an admin of the workspace can own a workspace token');
  return { ...emptyBinding, workspaceId: workspace.id, ownerPersonId: admin.id };
}

/** Creates a workspace token, owned by an admin of the workspace. */
export async function createOwnToken(
  deps: { database: Database },
  context: CallerContext,
  request: OwnTokenRequest,
) {
  const principal = context.principal as WorkspacePrincipal;
  const token = { ...request, kind: 'workspace' as const };
  return createKey(deps, token, (tx) => bindToAdmin(tx, principal, request.owner), context);
}
