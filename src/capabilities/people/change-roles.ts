import type { CallerContext } from '../../access/caller-context.ts';
import { type OrgScope, onlyOrganization, scopeOfOne } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import {
  type BatchResult,
  batchResult,
  summarizeOutcomes,
  type UserFailureCode,
  type UserOutcomes,
  userFailure,
} from './batch-result.ts';
import { recordMemberChanges } from './record-member-changes.ts';
import { countAdmins, lockRoleHolders, type RoleHolder, roleExists, writeRoles } from './store.ts';

/** Admin, Member, or the id of a custom role. */
export type AssignableRole = 'cr_admin' | 'cr_member' | (string & {});

/** Decides each change in the order of the request; the last admin keeps the role. */
export function planRoleChanges(
  userIds: readonly string[],
  role: AssignableRole,
  holders: readonly RoleHolder[],
  adminCount: number,
): { outcomes: UserOutcomes; changed: RoleHolder[] } {
  const byId = new Map(holders.map((holder) => [holder.user_id, holder]));
  const outcomes = new Map<string, UserFailureCode | null>();
  const changed: RoleHolder[] = [];
  let adminsLeft = adminCount;
  function decide(holder: RoleHolder | undefined): UserFailureCode | null {
    if (holder === undefined) return 'USER_NOT_FOUND';
    if (holder.role === 'cr_billing_admin') return 'BILLING_ADMIN_PROTECTED';
    if ((holder.role ?? holder.custom_role_id) === role) return null;
    if (holder.role === 'cr_admin') {
      if (adminsLeft <= 1) return 'LAST_ADMIN';
      adminsLeft -= 1;
    }
    changed.push(holder);
    return null;
  }
  for (const userId of new Set(userIds)) outcomes.set(userId, decide(byId.get(userId)));
  return { outcomes, changed };
}

async function changeRolesInOrganization(
  { database }: { database: Database },
  scope: OrgScope,
  context: CallerContext,
  role: AssignableRole,
  userIds: readonly string[],
): Promise<UserOutcomes> {
  const { id } = onlyOrganization(scope).organization;
  return database.transaction(async (tx) => {
    await lockOrganization(tx, id);
    if (!(await roleExists(tx, scope, role))) throw new AppError('NOT_FOUND', 'There is no such role');
    const holders = await lockRoleHolders(tx, scope, userIds);
    const { outcomes, changed } = planRoleChanges(userIds, role, holders, await countAdmins(tx, scope));
    await writeRoles(
      tx,
      scope,
      changed.map(({ user_id }) => user_id),
      role,
    );
    await recordMemberChanges(
      tx,
      context,
      changed.map((holder) => ({
        organizationId: id,
        action: 'member.role_changed',
        resourceType: 'member',
        resourceId: holder.user_id,
        resourceSummary: holder.username,
        metadata: { from: holder.custom_role_id ?? holder.role, to: role },
      })),
    );
    return outcomes;
  });
}

type OrganizationOutcomes = { readonly orgId: string; readonly outcomes: UserOutcomes };

// "A user is reported successful only if the change succeeds in every organization" (POST /v1/users/roles).
function combineOutcomes(
  userIds: readonly string[],
  organizations: readonly OrganizationOutcomes[],
): BatchResult {
  const failures = new Map(
    userIds.map((userId) => [
      userId,
      organizations.flatMap(({ orgId, outcomes }) => {
        const code = outcomes.get(userId) ?? null;
        return code === null ? [] : [{ org_id: orgId, code }];
      }),
    ]),
  );
  const entries = [...failures];
  return batchResult(
    entries.filter(([, failed]) => failed.length === 0).map(([userId]) => userId),
    entries
      .filter(([, failed]) => failed.length > 0)
      .map(([userId, failed]) => ({ ...userFailure(userId, failed[0]!.code), organizations: failed })),
  );
}

export interface RoleChange {
  readonly role: AssignableRole;
  readonly userIds: readonly string[];
  /** If set, a user counts as successful only if the change succeeds in every organization in scope. */
  readonly inEveryOrganization: boolean;
}

/** Changes roles in each organization in scope, one transaction each; a failure in one does not undo the others. */
export async function changeRoles(
  deps: { database: Database },
  context: CallerContext,
  { role, userIds, inEveryOrganization }: RoleChange,
): Promise<BatchResult> {
  const { scope } = context;
  if (!inEveryOrganization) {
    return summarizeOutcomes(await changeRolesInOrganization(deps, scope, context, role, userIds));
  }
  const results: OrganizationOutcomes[] = [];
  for (const { organization } of scope.organizations) {
    const organizationScope = scopeOfOne(scope, organization.id);
    const outcomes = await changeRolesInOrganization(deps, organizationScope, context, role, userIds);
    results.push({ orgId: organization.providerOrgId, outcomes });
  }
  return combineOutcomes(userIds, results);
}
