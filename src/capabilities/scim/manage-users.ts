import type { CallerContext } from '../../access/caller-context.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { PersonId } from '../../lib/ids.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import type { AuditAction, AuditResourceType } from '../audit-log/audit-vocabulary.ts';
import { ensurePeople } from '../people/accounts/ensure-people.ts';
import type { Comparison } from './scim-text.ts';
import { changeScim, type ScimWorkspace } from './scim-workspace.ts';
import { updateAccess } from './update-access.ts';
import { emailOf, type UserState } from './user-state.ts';

export interface ScimUser extends UserState {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly groups: readonly { readonly id: string; readonly displayName: string }[];
}

interface UserRow extends ScimUser {
  personId: PersonId;
}

export interface Slice {
  /** All must hold. */
  readonly filter: readonly Comparison[];
  /** From 1. */
  readonly startIndex: number;
  readonly count: number;
}

export interface Listed<Resource> {
  readonly total: number;
  readonly resources: readonly Resource[];
}

const columns = (db: Db) => db`
  u.id, u.person_id AS "personId", u.user_name AS "userName", u.external_id AS "externalId", u.active, u.attributes,
  u.created_at AS "createdAt", u.updated_at AS "updatedAt", coalesce((
    SELECT jsonb_agg(jsonb_build_object('id', g.id, 'displayName', g.display_name) ORDER BY g.display_name, g.id)
    FROM scim_group_members gm JOIN scim_groups g ON g.workspace_id = gm.workspace_id AND g.id = gm.group_id
    WHERE gm.workspace_id = u.workspace_id AND gm.user_id = u.id), '[]') AS groups`;

function conditionOf(db: Db, { attribute, value }: Comparison) {
  switch (attribute) {
    case 'username':
      return db`lower(u.user_name) = lower(${value})`;
    case 'externalid':
      return db`u.external_id = ${value}`;
    case 'id':
      return db`u.id::text = lower(${value})`;
    case 'emails':
    case 'emails.value':
      return db`EXISTS (SELECT 1 FROM people p WHERE p.id = u.person_id AND p.email = lower(${value}))`;
    case 'active':
      return db`u.active = ${value.toLowerCase() === 'true'}`;
    default:
      throw new AppError(
        'INVALID_REQUEST',
        'filter: users can be found by userName, externalId, id, emails.value and active',
      );
  }
}

/** The id for the database; null for text that is no UUID, which matches no user. */
export const idOf = (id: string): string | null => (isUuid(id) ? id : null);

/** Nothing where there is no filter. */
export function joinConditions<Condition>(db: Db, conditions: readonly Condition[]) {
  return conditions.reduce((all, condition) => db`${all} AND ${condition as never}`, db``);
}

/** Users of the workspace, oldest first. */
export async function listScimUsers(
  db: Db,
  workspace: ScimWorkspace,
  { filter, startIndex, count }: Slice,
): Promise<Listed<ScimUser>> {
  const matching = db`u.workspace_id = ${workspace.id} AND NOT u.deleted ${joinConditions(
    db,
    filter.map((one) => conditionOf(db, one)),
  )}`;
  const [counted] = await db<{ total: number }[]>`
    SELECT count(*)::int AS total FROM scim_users u WHERE ${matching}`;
  const resources = await db<UserRow[]>`
    SELECT ${columns(db)} FROM scim_users u WHERE ${matching}
    ORDER BY u.created_at, u.id OFFSET ${startIndex - 1} LIMIT ${count}`;
  return { total: counted!.total, resources };
}

async function findUser(db: Db, workspace: ScimWorkspace, id: string): Promise<UserRow> {
  const [row] = await db<UserRow[]>`
    SELECT ${columns(db)} FROM scim_users u
    WHERE u.workspace_id = ${workspace.id} AND u.id = ${idOf(id)} AND NOT u.deleted`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'There is no such user');
  return row;
}

export function readScimUser(db: Db, workspace: ScimWorkspace, id: string): Promise<ScimUser> {
  return findUser(db, workspace, id);
}

async function checkUnique(
  tx: Tx,
  workspace: ScimWorkspace,
  { userName }: UserState,
  personId: PersonId,
  ownId: string | undefined,
): Promise<void> {
  const [taken] = await tx<{ sameName: boolean }[]>`
    SELECT lower(user_name) = lower(${userName}) AS "sameName" FROM scim_users
    WHERE workspace_id = ${workspace.id} AND NOT deleted AND id IS DISTINCT FROM ${ownId ?? null}::uuid
      AND (lower(user_name) = lower(${userName}) OR person_id = ${personId})
    ORDER BY 1 DESC LIMIT 1`;
  if (taken === undefined) return;
  const what = taken.sameName ? 'userName' : 'email address';
  throw new AppError('CONFLICT', `Another user has this ${what}`);
}

function auditOf(workspace: ScimWorkspace, action: AuditAction, id: string, { userName, active }: UserState) {
  return {
    workspaceId: workspace.id,
    action,
    resourceType: 'scim_user' satisfies AuditResourceType as AuditResourceType,
    resourceId: id,
    resourceSummary: userName,
    metadata: { active },
  };
}

/** Creates a user; one who was deleted before is the same again. */
export async function createScimUser(
  { database }: { database: Database },
  context: CallerContext,
  workspace: ScimWorkspace,
  state: UserState,
): Promise<ScimUser> {
  const email = emailOf(state);
  return changeScim(database, async (tx) => {
    const personId = (await ensurePeople(tx, [email], context.now)).get(email)!;
    await checkUnique(tx, workspace, state, personId, undefined);
    const [row] = await tx<{ id: string }[]>`
      INSERT INTO scim_users (workspace_id, id, person_id, user_name, external_id, active, deleted, attributes, created_at, updated_at)
      VALUES (${workspace.id}, ${newUuid()}, ${personId}, ${state.userName}, ${state.externalId}, ${state.active}, false,
        ${tx.json(state.attributes as never)}, ${context.now}, ${context.now})
      ON CONFLICT (workspace_id, person_id) DO UPDATE SET user_name = excluded.user_name, external_id = excluded.external_id,
        active = excluded.active, deleted = false, attributes = excluded.attributes, updated_at = excluded.updated_at
      RETURNING id`;
    await updateAccess(tx, workspace, [personId], context, [
      auditOf(workspace, 'scim_user.created', row!.id, state),
    ]);
    return findUser(tx, workspace, row!.id);
  });
}

/** Changes a user to what `change` makes of it, all or nothing. */
export async function changeScimUser(
  deps: { database: Database },
  context: CallerContext,
  workspace: ScimWorkspace,
  id: string,
  change: (before: UserState) => UserState,
): Promise<ScimUser> {
  return changeScim(deps.database, async (tx) => {
    const before = await findUser(tx, workspace, id);
    const after = change(before);
    const email = emailOf(after);
    const personId = (await ensurePeople(tx, [email], context.now)).get(email)!;
    await checkUnique(tx, workspace, after, personId, id);
    // Someone deleted earlier may have had this address; the row that keeps them out makes room for this one.
    await tx`
      DELETE FROM scim_users
      WHERE workspace_id = ${workspace.id} AND person_id = ${personId} AND id <> ${id} AND deleted`;
    await tx`
      UPDATE scim_users SET person_id = ${personId}, user_name = ${after.userName}, external_id = ${after.externalId},
        active = ${after.active}, attributes = ${tx.json(after.attributes as never)}, updated_at = ${context.now}
      WHERE workspace_id = ${workspace.id} AND id = ${id}`;
    const action =
      before.active === after.active
        ? 'scim_user.updated'
        : after.active
          ? 'scim_user.activated'
          : 'scim_user.deactivated';
    await updateAccess(tx, workspace, [before.personId, personId], context, [
      auditOf(workspace, action, id, after),
    ]);
    return findUser(tx, workspace, id);
  });
}

/**
 * Deletes a user: deactivates the person and hides the user. The row stays, to keep the person out until they are created
 * again.
 */
export async function deleteScimUser(
  { database }: { database: Database },
  context: CallerContext,
  workspace: ScimWorkspace,
  id: string,
): Promise<void> {
  await changeScim(database, async (tx) => {
    const before = await findUser(tx, workspace, id);
    await tx`DELETE FROM scim_group_members WHERE workspace_id = ${workspace.id} AND user_id = ${id}`;
    await tx`
      UPDATE scim_users SET active = false, deleted = true, attributes = '{}', external_id = NULL, updated_at = ${context.now}
      WHERE workspace_id = ${workspace.id} AND id = ${id}`;
    await updateAccess(tx, workspace, [before.personId], context, [
      auditOf(workspace, 'scim_user.deleted', id, { ...before, active: false }),
    ]);
  });
}
