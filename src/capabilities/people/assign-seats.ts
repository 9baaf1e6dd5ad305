import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { WorkspacePrincipal } from '../../access/principal.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { PersonId } from '../../lib/ids.ts';
import { recordChanges } from '../audit-log/record-changes.ts';
import { type BatchResult, resultOf } from './batch-result.ts';
import { planAssignment, planUnassignment, type SeatClaim } from './plan-seats.ts';
import { readFreeSeats, seatChanges, writeSeats } from './seat-changes.ts';
import { lockSeatPools, lockWorkspaceSeats, type SeatPool } from './seat-pool.ts';
import { findPeopleByEmail, lockSeatAccounts, lockSeatAccountsOfPeople } from './store.ts';

export type SeatAction = 'assign' | 'unassign';
export type MemberReference = { readonly email: string } | { readonly user_id: string };

async function settle(
  tx: Tx,
  context: CallerContext,
  action: SeatAction,
  pool: SeatPool,
  claims: readonly SeatClaim[],
): Promise<BatchResult> {
  const isGiven = action === 'assign';
  const accounts = claims.flatMap((claim) => claim.accounts);
  const plan = isGiven
    ? planAssignment(claims, await readFreeSeats(tx, pool, accounts))
    : planUnassignment(claims);
  await writeSeats(tx, plan.changed, isGiven, context.now);
  await recordChanges(tx, context, seatChanges(plan.changed, isGiven ? 'assigned' : 'unassigned'));
  return resultOf(plan.outcomes);
}

/** Gives or takes the seats of accounts of one organization; never more are given than its pool has. */
export async function assignSeats(
  { database }: { database: Database },
  context: CallerContext,
  action: SeatAction,
  userIds: readonly string[],
): Promise<BatchResult> {
  const { id } = onlyOrganization(context.scope).organization;
  return database.transaction(async (tx) => {
    const pools = await lockSeatPools(tx, [id]);
    const accounts = await lockSeatAccounts(tx, context.scope, userIds);
    const byId = new Map(accounts.map((account) => [account.userId, account]));
    const claims = [...new Set(userIds)].map((identifier) => {
      const account = byId.get(identifier);
      return { identifier, accounts: account === undefined ? [] : [account] };
    });
    return settle(tx, context, action, pools.get(id)!, claims);
  });
}

function identifierOf(member: MemberReference): string {
  return 'email' in member ? member.email : member.user_id;
}

/** Gives or takes seats of people across a workspace: all active accounts of a person together, for one seat. */
export async function assignSeatsOfPeople(
  { database }: { database: Database },
  context: CallerContext,
  { workspace }: WorkspacePrincipal,
  action: SeatAction,
  members: readonly MemberReference[],
): Promise<BatchResult> {
  // The same address or id in other letters is the same member; it is told as it was first sent.
  const unique = new Map<string, MemberReference>();
  for (const member of members) {
    const key = identifierOf(member).toLowerCase();
    if (!unique.has(key)) unique.set(key, member);
  }
  return database.transaction(async (tx) => {
    const pool = await lockWorkspaceSeats(tx, workspace.id);
    const people = await findPeopleByEmail(tx, [...unique.keys()]);
    const personOf = (key: string, member: MemberReference) =>
      'email' in member ? people.get(key) : (key as PersonId);
    const wanted = [...unique].flatMap(([key, member]) => personOf(key, member) ?? []);
    const accounts = Map.groupBy(
      await lockSeatAccountsOfPeople(tx, context.scope, wanted),
      ({ personId }) => personId,
    );
    const claims = [...unique].map(([key, member]) => ({
      identifier: identifierOf(member),
      accounts: accounts.get(personOf(key, member) ?? null) ?? [],
    }));
    return settle(tx, context, action, pool, claims);
  });
}
