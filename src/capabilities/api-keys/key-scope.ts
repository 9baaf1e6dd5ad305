import type { Db } from '../../db/database.ts';
import type { OrganizationId, WorkspaceId } from '../../lib/ids.ts';

/** Which keys an operation covers: all of them, those of one organization, or the tokens of one workspace. */
export type KeyScope =
  | 'installation'
  | { readonly organizationId: OrganizationId }
  | { readonly workspaceId: WorkspaceId };

/** SQL condition that limits `api_keys k` to a scope. */
export function isInKeyScope(db: Db, scope: KeyScope) {
  if (scope === 'installation') return db`true`;
  return 'organizationId' in scope
    ? db`k.organization_id = ${scope.organizationId}`
    : db`k.workspace_id = ${scope.workspaceId}`;
}
