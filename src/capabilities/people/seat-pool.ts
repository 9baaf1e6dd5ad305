import type { Db, Tx } from '../../db/database.ts';
import type { OrganizationId, WorkspaceId } from '../../lib/ids.ts';

/** Whose purchased seats count together: the active organizations of a workspace, or one organization alone. */
export type SeatPool = { readonly workspaceId: WorkspaceId } | { readonly organizationId: OrganizationId };

export interface SeatUse {
  readonly purchased: number;
  readonly assigned: number;
}

/** The pool that an active organization takes its seats from. */
export function poolOf(organization: {
  readonly id: OrganizationId;
  readonly workspaceId: WorkspaceId | null;
}): SeatPool {
  return organization.workspaceId === null
    ? { organizationId: organization.id }
    : { workspaceId: organization.workspaceId };
}

/** The organizations of a pool, as a condition on `organizations o`. */
export function isInPool(db: Db, pool: SeatPool) {
  return 'workspaceId' in pool
    ? db`o.workspace_id = ${pool.workspaceId} AND o.active`
    : db`o.id = ${pool.organizationId}`;
}

/** How many seats a pool has and how many are held; a person with several accounts holds one. */
export async function countSeats(db: Db, pool: SeatPool): Promise<SeatUse> {
  const [row] = await db<SeatUse[]>`
    WITH pool AS (SELECT o.id, o.seats_purchased FROM organizations o WHERE ${isInPool(db, pool)})
    SELECT (SELECT coalesce(sum(seats_purchased), 0) FROM pool)::bigint AS purchased,
      (SELECT count(DISTINCT person_id) + count(*) FILTER (WHERE person_id IS NULL)
       FROM members WHERE organization_id IN (SELECT id FROM pool) AND seat AND active)::bigint AS assigned`;
  return row!;
}

/** Makes seat changes of a workspace wait for each other, on every node. */
export async function lockWorkspaceSeats(tx: Tx, workspaceId: WorkspaceId): Promise<SeatPool> {
  await tx`SELECT FROM workspaces WHERE id = ${workspaceId} FOR NO KEY UPDATE`;
  return { workspaceId };
}

/**
 * Makes seat changes in the pools of these organizations wait for each other, on every node, and gives each one's pool.
 *
 * The order is the same everywhere: organizations by id, workspaces by id, then members, then the audit log (ADR 0030).
 */
export async function lockSeatPools(
  tx: Tx,
  organizationIds: readonly OrganizationId[],
): Promise<Map<OrganizationId, SeatPool>> {
  const rows = await tx<{ id: OrganizationId; workspace_id: WorkspaceId | null; active: boolean }[]>`
    SELECT id, workspace_id, active FROM organizations
    WHERE id = ANY(${[...organizationIds]}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  const workspaceIds = rows.flatMap(({ workspace_id }) => workspace_id ?? []);
  await tx`SELECT FROM workspaces WHERE id = ANY(${workspaceIds}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  // Seats of an inactive organization of a workspace are measured against its own, until it joins the others.
  return new Map(
    rows.map(({ id, workspace_id, active }) => [
      id,
      poolOf({ id, workspaceId: active ? workspace_id : null }),
    ]),
  );
}
