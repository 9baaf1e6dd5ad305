import type { Db, Tx } from '../../../db/database.ts';
import type { OrganizationId, WorkspaceId } from '../../../lib/ids.ts';

/** Organizations whose purchased seats are pooled: the active ones of a workspace, or a single organization. */
export type SeatPool = { readonly workspaceId: WorkspaceId } | { readonly organizationId: OrganizationId };

export interface SeatUse {
  readonly purchased: number;
  readonly assigned: number;
}

/** Returns the pool that an active organization draws its seats from. */
export function seatPoolOf(organization: {
  readonly id: OrganizationId;
  readonly workspaceId: WorkspaceId | null;
}): SeatPool {
  return organization.workspaceId === null
    ? { organizationId: organization.id }
    : { workspaceId: organization.workspaceId };
}

/** SQL condition that selects the organizations of a pool from `organizations o`. */
export function isInPool(db: Db, pool: SeatPool) {
  return 'workspaceId' in pool
    ? db`o.workspace_id = ${pool.workspaceId} AND o.active`
    : db`o.id = ${pool.organizationId}`;
}

/** Counts the purchased and assigned seats of a pool; a person with several accounts uses one. */
export async function countSeats(db: Db, pool: SeatPool): Promise<SeatUse> {
  const [row] = await db<SeatUse[]>`
    WITH pool AS (SELECT o.id, o.seats_purchased FROM organizations o WHERE ${isInPool(db, pool)})
    SELECT (SELECT coalesce(sum(seats_purchased), 0) FROM pool)::bigint AS purchased,
      (SELECT count(DISTINCT person_id) + count(*) FILTER (WHERE person_id IS NULL)
       FROM members WHERE organization_id IN (SELECT id FROM pool) AND seat AND active)::bigint AS assigned`;
  return row!;
}

/** Serializes seat changes in a workspace across all nodes until the transaction ends. */
export async function lockWorkspaceSeats(tx: Tx, workspaceId: WorkspaceId): Promise<SeatPool> {
  await tx`SELECT FROM workspaces WHERE id = ${workspaceId} FOR NO KEY UPDATE`;
  return { workspaceId };
}

/**
 * Serializes seat changes in the pools of these organizations across all nodes, and returns the pool of each organization.
 *
 * The lock order is the same everywhere: organizations by id, workspaces by id, then members, then the audit log (ADR 0030).
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
  // An inactive organization of a workspace has its own pool until it becomes active.
  return new Map(
    rows.map(({ id, workspace_id, active }) => [
      id,
      seatPoolOf({ id, workspaceId: active ? workspace_id : null }),
    ]),
  );
}

/** Whose seats a pool consists of, to explain its numbers. */
export async function describeSeatPool(
  db: Db,
  pool: SeatPool,
): Promise<{ workspace: string | null; organizations: number }> {
  if (!('workspaceId' in pool)) return { workspace: null, organizations: 1 };
  const [row] = await db<[{ workspace: string; organizations: number }]>`
    SELECT w.name AS workspace,
      (SELECT count(*)::int FROM organizations o WHERE ${isInPool(db, pool)}) AS organizations
    FROM workspaces w WHERE w.id = ${pool.workspaceId}`;
  return row;
}
