import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { WorkspacePrincipal } from '../../../access/principal.ts';
import type { Database, Tx } from '../../../db/database.ts';
import type { PersonId } from '../../../lib/ids.ts';
import { type BatchResult, summarizeOutcomes } from '../batch-result.ts';
import { recordMemberChanges } from '../record-member-changes.ts';
import { findPeopleByEmail, lockSeatAccounts, lockSeatAccountsOfPeople } from '../store.ts';
import { planAssignment, planUnassignment, type SeatRequest } from './plan-seats.ts';
import { readFreeSeats, seatAuditChanges, writeSeats } from './seat-changes.ts';
import { lockSeatPools, lockWorkspaceSeats, type SeatPool } from './seat-pool.ts';

export type SeatAction = 'assign' | 'unassign';
export type MemberReference = { readonly email: string } | { readonly user_id: string };

async function applySeatRequests(
  tx: Tx,
  context: CallerContext,
  action: SeatAction,
  pool: SeatPool,
  requests: readonly SeatRequest[],
): Promise<BatchResult> {
  const isAssignment = action === 'assign';
  const accounts = requests.flatMap((request) => request.accounts);
  const plan = isAssignment
    ? planAssignment(requests, await readFreeSeats(tx, pool, accounts))
    : planUnassignment(requests);
  await writeSeats(tx, plan.changed, isAssignment, context.now);
  await recordMemberChanges(
    tx,
    context,
    seatAuditChanges(plan.changed, isAssignment ? 'assigned' : 'unassigned'),
  );
  return summarizeOutcomes(plan.outcomes);
}

/** Assigns or unassigns seats for accounts of one organization, never exceeding the seats of its pool. */
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
    const requests = [...new Set(userIds)].map((identifier) => {
      const account = byId.get(identifier);
      return { identifier, accounts: account === undefined ? [] : [account] };
    });
    return applySeatRequests(tx, context, action, pools.get(id)!, requests);
  });
}

function identifierOf(member: MemberReference): string {
  return 'email' in member ? member.email : member.user_id;
}

/** Assigns or unassigns seats for people across a workspace: all active accounts of a person share one seat. */
export async function assignSeatsToPeople(
  { database }: { database: Database },
  context: CallerContext,
  { workspace }: WorkspacePrincipal,
  action: SeatAction,
  members: readonly MemberReference[],
): Promise<BatchResult> {
  // Addresses and ids that differ only in case are the same member; the result repeats the first spelling.
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
    const personIds = [...unique].flatMap(([key, member]) => personOf(key, member) ?? []);
    const accounts = Map.groupBy(
      await lockSeatAccountsOfPeople(tx, context.scope, personIds),
      ({ personId }) => personId,
    );
    const requests = [...unique].map(([key, member]) => ({
      identifier: identifierOf(member),
      accounts: accounts.get(personOf(key, member) ?? null) ?? [],
    }));
    return applySeatRequests(tx, context, action, pool, requests);
  });
}
