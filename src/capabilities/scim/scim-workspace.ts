import type { CallerContext } from '../../access/caller-context.ts';
import type { Database, Tx } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { OrganizationId, WorkspaceId } from '../../lib/ids.ts';

/** The workspace whose people an identity provider describes, and its organizations. */
export interface ScimWorkspace {
  readonly id: WorkspaceId;
  readonly organizationIds: readonly OrganizationId[];
}

/** The workspace of the token, if it is the one that the request names; any other is not found. */
export function workspaceOf({ principal, scope }: CallerContext, slug: string): ScimWorkspace {
  if (principal.kind !== 'workspace' || principal.workspace.slug !== slug)
    throw new AppError('NOT_FOUND', 'There is no such workspace');
  return {
    id: principal.workspace.id,
    organizationIds: scope.organizations.map(({ organization }) => organization.id),
  };
}

/** A change to what an identity provider has said. Such changes and platform documents wait for each other. */
export function changeScim<Result>(database: Database, change: (tx: Tx) => Promise<Result>): Promise<Result> {
  return database.transaction(async (tx) => {
    await tx`LOCK TABLE workspaces IN SHARE ROW EXCLUSIVE MODE`;
    return change(tx);
  });
}
