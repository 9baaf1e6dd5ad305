import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { WorkspacePrincipal } from '../../access/principal.ts';
import type { Database } from '../../db/database.ts';
import type { PersonId } from '../../lib/ids.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import { describeMemberRole } from '../roles/built-in-role-labels.ts';
import { countSeats, type SeatPool, seatPoolOf } from './seats/seat-pool.ts';
import {
  type AccountRow,
  findAccounts,
  findPeople,
  findSeatAssignmentModes,
  findUsers,
  type PersonRow,
  type RoleFilter,
  type SeatFilter,
} from './store.ts';

export interface UserListQuery<Position> {
  readonly filter: { readonly seat: SeatFilter; readonly role: RoleFilter };
  readonly after: Position | undefined;
  readonly limit: number;
}

type Deps = { readonly database: Database };

/** The seats of a pool, and how they are assigned in the organizations in scope. */
export async function seatTotals({ database }: Deps, { scope }: CallerContext, pool: SeatPool) {
  const { purchased, assigned } = await countSeats(database.sql, pool);
  const modes = await findSeatAssignmentModes(database.sql, scope);
  return {
    seats_purchased: purchased,
    seats_assigned: assigned,
    // Across several organizations: automatic only if all of them are.
    seat_assignment_mode: modes.length === 1 ? modes[0]! : 'manual',
  };
}

/** Lists the active users of one organization, with the seats it can use. */
export async function listUsers(
  deps: Deps,
  context: CallerContext,
  { filter, after, limit }: UserListQuery<string>,
) {
  const { scope } = context;
  const found = await findUsers(deps.database.sql, scope, filter, after, limit + 1);
  const { rows, next } = cutPage(found, limit, ({ user_id }) => user_id);
  return {
    ...(await seatTotals(deps, context, seatPoolOf(onlyOrganization(scope).organization))),
    users: rows.map((row) => ({
      user_id: row.user_id,
      username: row.username,
      email: row.email,
      ...describeMemberRole(row),
      seat_assigned: row.seat,
    })),
    next,
  };
}

/** A person with their accounts, for callers. */
export function describePerson(
  { id, email, is_workspace_admin }: PersonRow,
  accounts: readonly AccountRow[],
) {
  return {
    user_id: id,
    email,
    name: accounts[0]?.username ?? email,
    workspace_role: is_workspace_admin ? 'admin' : 'member',
    seat_assigned: accounts.some(({ seat }) => seat),
    accounts: accounts.map((account) => ({
      provider: account.provider,
      org_id: account.org_id,
      user_id: account.user_id,
      username: account.username,
      role: account.role ?? account.custom_role_id,
      seat_assigned: account.seat,
    })),
  };
}

/** Lists the people of a workspace, each once with all their accounts, and the workspace's seats. */
export async function listPeople(
  deps: Deps,
  context: CallerContext,
  { workspace }: WorkspacePrincipal,
  { filter, after, limit }: UserListQuery<PersonId>,
) {
  const { sql } = deps.database;
  const { scope } = context;
  const found = await findPeople(sql, scope, workspace.id, filter, after, limit + 1);
  const { rows, next } = cutPage(found, limit, ({ id }) => id);
  const accounts = await findAccounts(
    sql,
    scope,
    rows.map(({ id }) => id),
  );
  const byPerson = Map.groupBy(accounts, ({ person_id }) => person_id);
  return {
    ...(await seatTotals(deps, context, { workspaceId: workspace.id })),
    users: rows.map((person) => describePerson(person, byPerson.get(person.id) ?? [])),
    next,
  };
}
