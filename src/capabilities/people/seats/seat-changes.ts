import type { Db, Tx } from '../../../db/database.ts';
import type { PersonId } from '../../../lib/ids.ts';
import type { AuditChange } from '../../audit-log/record-changes.ts';
import { type FreeSeats, type SeatAccount, seatHolder } from './plan-seats.ts';
import { countSeats, isInPool, type SeatPool } from './seat-pool.ts';

/** Counts the free seats of a pool, and finds which of the accounts' people already hold one through any account. */
export async function readFreeSeats(
  db: Db,
  pool: SeatPool,
  accounts: readonly SeatAccount[],
): Promise<FreeSeats> {
  const { purchased, assigned } = await countSeats(db, pool);
  const people = accounts.flatMap(({ personId }) => personId ?? []);
  const seated = await db<{ person_id: PersonId }[]>`
    SELECT DISTINCT m.person_id FROM members m JOIN organizations o ON o.id = m.organization_id
    WHERE m.person_id = ANY(${people}::uuid[]) AND m.seat AND m.active AND ${isInPool(db, pool)}`;
  const holders = [
    ...seated.map(({ person_id }) => person_id),
    ...accounts.filter(({ seat }) => seat).map(seatHolder),
  ];
  return { free: purchased - assigned, holders: new Set(holders) };
}

/** Assigns or unassigns the seats of accounts that the caller has locked; `at` becomes the time of assignment. */
export async function writeSeats(
  tx: Tx,
  accounts: readonly SeatAccount[],
  seat: boolean,
  at: Date,
): Promise<void> {
  if (accounts.length === 0) return;
  await tx`
    UPDATE members m SET seat = ${seat}, seat_assigned_at = ${seat ? at : null}
    FROM unnest(${accounts.map(({ organizationId }) => organizationId)}::uuid[], ${accounts.map(({ userId }) => userId)}::text[])
      AS c (organization_id, provider_user_id)
    WHERE m.organization_id = c.organization_id AND m.provider_user_id = c.provider_user_id`;
}

/** Builds the audit entries for seats that were assigned, unassigned or reclaimed. */
export function seatAuditChanges(
  accounts: readonly SeatAccount[],
  verb: 'assigned' | 'unassigned' | 'reclaimed',
  metadata: Readonly<Record<string, unknown>> = {},
): AuditChange[] {
  return accounts.map(({ organizationId, userId, username }) => ({
    organizationId,
    action: `seat.${verb}`,
    resourceType: 'seat',
    resourceId: userId,
    resourceSummary: username,
    metadata,
  }));
}
