import type { Db, Tx } from '../../db/database.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { AuditChange } from '../audit-log/record-changes.ts';
import { type FreeSeats, type SeatAccount, seatHolder } from './plan-seats.ts';
import { countSeats, isInPool, type SeatPool } from './seat-pool.ts';

/** How many seats of a pool are free, and who of these accounts' people holds one already through any account. */
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

/** Gives or takes the seats of accounts that the caller holds; `at` is since when a given seat counts. */
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

/** The audit entries of seats that were given, taken or reclaimed. */
export function seatChanges(
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
