import type { CallerContext } from '../../access/caller-context.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { PersonId } from '../../lib/ids.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { AuditChange } from '../audit-log/record-changes.ts';
import { idOf, joinConditions, type Listed, type Slice } from './manage-users.ts';
import type { GroupState } from './patch-group.ts';
import type { Comparison } from './scim-text.ts';
import { changeScim, type ScimWorkspace } from './scim-workspace.ts';
import { updateAccess } from './update-access.ts';

export interface ScimGroup {
  readonly id: string;
  readonly displayName: string;
  readonly externalId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly members: readonly { readonly id: string; readonly userName: string }[];
}

const columns = (db: Db) => db`
  g.id, g.display_name AS "displayName", g.external_id AS "externalId", g.created_at AS "createdAt", g.updated_at AS "updatedAt",
  coalesce((
    SELECT jsonb_agg(jsonb_build_object('id', u.id, 'userName', u.user_name) ORDER BY u.user_name, u.id)
    FROM scim_group_members gm JOIN scim_users u ON u.workspace_id = gm.workspace_id AND u.id = gm.user_id
    WHERE gm.workspace_id = g.workspace_id AND gm.group_id = g.id), '[]') AS members`;

function conditionOf(db: Db, { attribute, value }: Comparison) {
  switch (attribute) {
    case 'displayname':
      return db`lower(g.display_name) = lower(${value})`;
    case 'externalid':
      return db`g.external_id = ${value}`;
    case 'id':
      return db`g.id::text = lower(${value})`;
    case 'members':
    case 'members.value':
      return db`EXISTS (
        SELECT 1 FROM scim_group_members gm
        WHERE gm.workspace_id = g.workspace_id AND gm.group_id = g.id AND gm.user_id::text = lower(${value}))`;
    default:
      throw new AppError(
        'INVALID_REQUEST',
        'filter: groups can be found by displayName, externalId, id and members.value',
      );
  }
}

/** Groups of the workspace, oldest first. */
export async function listScimGroups(
  db: Db,
  workspace: ScimWorkspace,
  { filter, startIndex, count }: Slice,
): Promise<Listed<ScimGroup>> {
  const matching = db`g.workspace_id = ${workspace.id} ${joinConditions(
    db,
    filter.map((one) => conditionOf(db, one)),
  )}`;
  const [counted] = await db<{ total: number }[]>`
    SELECT count(*)::int AS total FROM scim_groups g WHERE ${matching}`;
  const resources = await db<ScimGroup[]>`
    SELECT ${columns(db)} FROM scim_groups g WHERE ${matching}
    ORDER BY g.created_at, g.id OFFSET ${startIndex - 1} LIMIT ${count}`;
  return { total: counted!.total, resources };
}

export async function readScimGroup(db: Db, workspace: ScimWorkspace, id: string): Promise<ScimGroup> {
  const [row] = await db<ScimGroup[]>`
    SELECT ${columns(db)} FROM scim_groups g WHERE g.workspace_id = ${workspace.id} AND g.id = ${idOf(id)}`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'There is no such group');
  return row;
}

async function checkUnique(
  tx: Tx,
  workspace: ScimWorkspace,
  { displayName }: GroupState,
  ownId?: string,
): Promise<void> {
  const taken = await tx`
    SELECT 1 FROM scim_groups WHERE workspace_id = ${workspace.id} AND lower(display_name) = lower(${displayName})
      AND id IS DISTINCT FROM ${ownId ?? null}::uuid`;
  if (taken.length > 0) throw new AppError('CONFLICT', 'Another group has this displayName');
}

/** Makes these users the members of a group, and returns the people who were or are in it. */
async function writeMembers(
  tx: Tx,
  workspace: ScimWorkspace,
  id: string,
  memberIds: ReadonlySet<string>,
): Promise<PersonId[]> {
  const wanted = [...memberIds];
  const known = await tx<{ id: string }[]>`
    SELECT id FROM scim_users WHERE workspace_id = ${workspace.id} AND id = ANY(${wanted}::uuid[]) AND NOT deleted`;
  if (known.length < wanted.length) throw new AppError('INVALID_REQUEST', 'members: there is no such user');
  const touched = await tx<{ person_id: PersonId }[]>`
    SELECT u.person_id FROM scim_users u WHERE u.workspace_id = ${workspace.id} AND (u.id = ANY(${wanted}::uuid[]) OR EXISTS (
      SELECT 1 FROM scim_group_members gm WHERE gm.workspace_id = u.workspace_id AND gm.group_id = ${id} AND gm.user_id = u.id))`;
  await tx`
    DELETE FROM scim_group_members
    WHERE workspace_id = ${workspace.id} AND group_id = ${id} AND user_id <> ALL(${wanted}::uuid[])`;
  await tx`
    INSERT INTO scim_group_members (workspace_id, group_id, user_id)
    SELECT ${workspace.id}, ${id}, n.id FROM unnest(${wanted}::uuid[]) AS n (id) ON CONFLICT DO NOTHING`;
  return touched.map(({ person_id }) => person_id);
}

function auditOf(
  workspace: ScimWorkspace,
  action: 'scim_group.created' | 'scim_group.updated' | 'scim_group.deleted',
  id: string,
  { displayName, memberIds }: GroupState,
): AuditChange {
  return {
    workspaceId: workspace.id,
    action,
    resourceType: 'scim_group',
    resourceId: id,
    resourceSummary: displayName,
    metadata: { members: memberIds.size },
  };
}

export async function createScimGroup(
  { database }: { database: Database },
  context: CallerContext,
  workspace: ScimWorkspace,
  state: GroupState,
): Promise<ScimGroup> {
  return changeScim(database, async (tx) => {
    await checkUnique(tx, workspace, state);
    const id = newUuid();
    await tx`
      INSERT INTO scim_groups (workspace_id, id, display_name, external_id, created_at, updated_at)
      VALUES (${workspace.id}, ${id}, ${state.displayName}, ${state.externalId}, ${context.now}, ${context.now})`;
    const people = await writeMembers(tx, workspace, id, state.memberIds);
    await updateAccess(tx, workspace, people, context, [auditOf(workspace, 'scim_group.created', id, state)]);
    return readScimGroup(tx, workspace, id);
  });
}

/** Changes a group to what `change` makes of it, all or nothing. */
export async function changeScimGroup(
  { database }: { database: Database },
  context: CallerContext,
  workspace: ScimWorkspace,
  id: string,
  change: (before: GroupState) => GroupState,
): Promise<ScimGroup> {
  return changeScim(database, async (tx) => {
    const { members, ...before } = await readScimGroup(tx, workspace, id);
    const after = change({ ...before, memberIds: new Set(members.map((member) => member.id)) });
    await checkUnique(tx, workspace, after, id);
    await tx`
      UPDATE scim_groups SET display_name = ${after.displayName}, external_id = ${after.externalId}, updated_at = ${context.now}
      WHERE workspace_id = ${workspace.id} AND id = ${id}`;
    const people = await writeMembers(tx, workspace, id, after.memberIds);
    await updateAccess(tx, workspace, people, context, [auditOf(workspace, 'scim_group.updated', id, after)]);
    return readScimGroup(tx, workspace, id);
  });
}

export async function deleteScimGroup(
  { database }: { database: Database },
  context: CallerContext,
  workspace: ScimWorkspace,
  id: string,
): Promise<void> {
  await changeScim(database, async (tx) => {
    const { displayName, externalId } = await readScimGroup(tx, workspace, id);
    const people = await writeMembers(tx, workspace, id, new Set());
    await tx`DELETE FROM scim_groups WHERE workspace_id = ${workspace.id} AND id = ${id}`;
    await updateAccess(tx, workspace, people, context, [
      auditOf(workspace, 'scim_group.deleted', id, { displayName, externalId, memberIds: new Set() }),
    ]);
  });
}
