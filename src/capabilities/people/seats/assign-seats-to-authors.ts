import { systemActor } from '../../../access/actor.ts';
import type { Tx } from '../../../db/database.ts';
import { arrayLiteral } from '../../../db/driver/array-literal.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { AuditChange } from '../../audit-log/record-changes.ts';
import { eventFollower, type ReceivedEvent } from '../../intake/event-type.ts';
import { type PullRequestData, pullRequestEventType } from '../../pull-requests/pull-request-data.ts';
import { recordMemberChanges } from '../record-member-changes.ts';
import { type SeatAccount, seatHolder } from './plan-seats.ts';
import { readFreeSeats, seatAuditChanges, writeSeats } from './seat-changes.ts';
import { isInPool, lockSeatPools, type SeatPool } from './seat-pool.ts';

/** How long a person must have been inactive before their seat may go to somebody else. */
const idleDays = 30;
const idleMs = idleDays * 24 * 60 * 60 * 1000;

/** That an account was active: it has a pull request, or tagged the reviewer. */
export interface Activity {
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly time: Date;
}

function newestActivities(events: readonly ReceivedEvent<PullRequestData>[]): Activity[] {
  const newest = new Map<string, Activity>();
  for (const { organization, time, data } of events) {
    if (data.author_id == null) continue;
    const key = `${organization.id}/${data.author_id}`;
    const known = newest.get(key);
    if (known === undefined || known.time < time)
      newest.set(key, { organizationId: organization.id, userId: data.author_id, time });
  }
  return [...newest.values()];
}

function activityRows(tx: Tx, activities: readonly Activity[]) {
  return tx`unnest(${arrayLiteral(activities.map(({ organizationId }) => organizationId))}::uuid[],
    ${arrayLiteral(activities.map(({ userId }) => userId))}::text[],
    ${arrayLiteral(activities.map(({ time }) => time))}::timestamptz[])
    AS a (organization_id, provider_user_id, time)`;
}

// Accounts are locked in key order, so that two batches cannot deadlock.
async function recordActivities(tx: Tx, activities: readonly Activity[]): Promise<void> {
  await tx`
    WITH newer AS (
      SELECT m.organization_id, m.provider_user_id, a.time
      FROM ${activityRows(tx, activities)} JOIN members m USING (organization_id, provider_user_id)
      WHERE m.last_active_at IS NULL OR m.last_active_at < a.time
      ORDER BY m.organization_id, m.provider_user_id FOR NO KEY UPDATE OF m)
    UPDATE members m SET last_active_at = newer.time FROM newer
    WHERE m.organization_id = newer.organization_id AND m.provider_user_id = newer.provider_user_id`;
}

type Author = SeatAccount & { readonly time: Date };

/**
 * Finds the active authors without a seat whose organization assigns seats automatically. `isNew` is false for activity that
 * was recorded before, so that an event delivered again does not restore a seat that was taken away since.
 */
async function findAuthorsWithoutSeat(
  tx: Tx,
  activities: readonly Activity[],
): Promise<(Author & { readonly isNew: boolean })[]> {
  return tx<(Author & { isNew: boolean })[]>`
    SELECT m.organization_id AS "organizationId", m.provider_user_id AS "userId", m.person_id AS "personId", m.username,
      m.seat, a.time, m.last_active_at IS NULL OR m.last_active_at < a.time AS "isNew"
    FROM ${activityRows(tx, activities)}
    JOIN members m USING (organization_id, provider_user_id) JOIN organizations o ON o.id = m.organization_id
    WHERE o.active AND o.seat_assignment_mode = 'automatic' AND m.active AND NOT m.seat AND NOT m.bot
    ORDER BY a.time, m.organization_id, m.provider_user_id`;
}

interface IdleHolder {
  readonly accounts: readonly SeatAccount[];
  readonly idleSince: Date;
}

/**
 * Finds who holds a seat of the pool and was idle at the given time, longest idle first. A person is idle since their last
 * pull request through any account or, if there is none, since the seat was assigned. Seats in organizations with manual
 * assignment are left alone.
 */
async function findIdleHolders(tx: Tx, pool: SeatPool, time: Date, limit: number): Promise<IdleHolder[]> {
  return tx<IdleHolder[]>`
    SELECT accounts, idle_since AS "idleSince" FROM (
      SELECT coalesce(greatest(max(m.last_active_at), max(own.last_active_at)), max(m.seat_assigned_at), max(m.created_at)) AS idle_since,
        bool_and(o.seat_assignment_mode = 'automatic') AS is_automatic, min(m.provider_user_id COLLATE "C") AS first_id,
        jsonb_agg(jsonb_build_object('organizationId', m.organization_id, 'userId', m.provider_user_id, 'personId', m.person_id,
          'username', m.username, 'seat', true) ORDER BY m.organization_id, m.provider_user_id) AS accounts
      FROM organizations o JOIN members m ON m.organization_id = o.id AND m.seat AND m.active
      LEFT JOIN LATERAL (
        SELECT max(x.last_active_at) AS last_active_at FROM members x JOIN organizations o ON o.id = x.organization_id
        WHERE x.person_id = m.person_id AND x.active AND ${isInPool(tx, pool)}) AS own ON true
      WHERE ${isInPool(tx, pool)}
      GROUP BY coalesce(m.person_id::text, m.organization_id || '/' || m.provider_user_id)) AS holder
    WHERE is_automatic AND idle_since <= ${new Date(time.getTime() - idleMs)}
    ORDER BY idle_since, first_id LIMIT ${limit}`;
}

/** Assigns seats to the authors of one pool, earliest first: a free seat or, failing that, the one idle longest. */
async function assignSeatsInPool(tx: Tx, pool: SeatPool, authors: readonly Author[]): Promise<AuditChange[]> {
  const { free, holders } = await readFreeSeats(tx, pool, authors);
  const seated = new Set(holders);
  let seatsLeft = free;
  const isShort = new Set(authors.map(seatHolder)).size > free;
  const idle = isShort ? await findIdleHolders(tx, pool, authors.at(-1)!.time, authors.length) : [];
  const changes: AuditChange[] = [];
  for (const author of authors) {
    if (!seated.has(seatHolder(author))) {
      const [longestIdle] = idle;
      if (seatsLeft > 0) seatsLeft -= 1;
      else if (
        longestIdle !== undefined &&
        longestIdle.idleSince.getTime() <= author.time.getTime() - idleMs
      ) {
        idle.shift();
        await writeSeats(tx, longestIdle.accounts, false, author.time);
        changes.push(
          ...seatAuditChanges(longestIdle.accounts, 'reclaimed', { idle_since: longestIdle.idleSince }),
        );
      } else continue;
      seated.add(seatHolder(author));
    }
    await writeSeats(tx, [author], true, author.time);
    changes.push(...seatAuditChanges([author], 'assigned', { automatic: true }));
  }
  return changes;
}

async function assignSeatsAutomatically(
  tx: Tx,
  pools: ReadonlyMap<OrganizationId, SeatPool>,
  authors: readonly Author[],
  now: Date,
): Promise<void> {
  const byPool = Map.groupBy(authors, ({ organizationId }) => JSON.stringify(pools.get(organizationId)));
  const changes: AuditChange[] = [];
  for (const group of byPool.values())
    changes.push(...(await assignSeatsInPool(tx, pools.get(group[0]!.organizationId)!, group)));
  await recordMemberChanges(tx, { actor: systemActor, now }, changes);
}

/** Records when people were last active, and assigns them seats if their organization does so automatically (ADR 0032). */
export async function noteActivities(tx: Tx, activities: readonly Activity[], now: Date): Promise<void> {
  if (activities.length === 0) return;
  const candidates = (await findAuthorsWithoutSeat(tx, activities)).filter(({ isNew }) => isNew);
  if (candidates.length === 0) return recordActivities(tx, activities);
  const pools = await lockSeatPools(
    tx,
    candidates.map(({ organizationId }) => organizationId),
  );
  await recordActivities(tx, activities);
  // Read again: a seat may have been assigned, or the mode changed, before the lock was acquired.
  const authors = await findAuthorsWithoutSeat(tx, candidates);
  const authorsInPools = authors.filter(({ organizationId }) => pools.has(organizationId));
  await assignSeatsAutomatically(tx, pools, authorsInPools, now);
}

/** The authors of pull requests are active. */
export const pullRequestAuthorFollower = eventFollower<PullRequestData>({
  type: pullRequestEventType,
  follow: (tx, events, { now }) => noteActivities(tx, newestActivities(events), now),
});
