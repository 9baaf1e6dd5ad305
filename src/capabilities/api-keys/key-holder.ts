import type { Db } from '../../db/database.ts';
import type { OrganizationId, WorkspaceId } from '../../lib/ids.ts';

/** Whose keys are meant: all of them, those bound to one organization, or the tokens of one workspace. */
export type KeyHolder =
  | 'installation'
  | { readonly organizationId: OrganizationId }
  | { readonly workspaceId: WorkspaceId };

/** Narrows `api_keys k` to the holder's. */
export function heldBy(db: Db, holder: KeyHolder) {
  if (holder === 'installation') return db`true`;
  return 'organizationId' in holder
    ? db`k.organization_id = ${holder.organizationId}`
    : db`k.workspace_id = ${holder.workspaceId}`;
}
