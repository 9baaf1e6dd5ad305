import { onlyOrganization } from '../../access/org-scope.ts';
import type { WorkspacePrincipal } from '../../access/principal.ts';
import type { Database } from '../../db/database.ts';
import type { KeyContext } from '../../http/endpoint.ts';
import type { PersonId } from '../../lib/ids.ts';
import { describeRoleOf } from '../roles/built-in-roles.ts';
import { countSeats, poolOf, type SeatPool } from './seat-pool.ts';
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

export interface UserListQuery {
  readonly seat_filter: SeatFilter;
  readonly role_filter: RoleFilter;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

type Deps = { readonly database: Database };

async function seatTotals({ database }: Deps, { scope }: KeyContext, pool: SeatPool) {
  const { purchased, assigned } = await countSeats(database.sql, pool);
  const modes = await findSeatAssignmentModes(database.sql, scope);
  return {
    seats_purchased: purchased,
    seats_assigned: assigned,
    // Over several organizations: automatic only where all of them are.
    seat_assignment_mode: modes.length === 1 ? modes[0]! : 'manual',
  };
}

async function pageOf<Row, Position>(
  { cursors }: KeyContext,
  query: UserListQuery,
  find: (after: Position | undefined, limit: number) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
): Promise<{ rows: Row[]; next_cursor: string | null }> {
  const filters = [query.seat_filter, query.role_filter];
  const after = query.cursor === undefined ? undefined : cursors.read<Position>(filters, query.cursor);
  const found = await find(after, query.limit + 1);
  const rows = found.slice(0, query.limit);
  return {
    rows,
    next_cursor: found.length > query.limit ? cursors.issue(filters, positionOf(rows.at(-1)!)) : null,
  };
}

/** Lists the active users of one organization, with the seats it can use. */
export async function listUsers(deps: Deps, context: KeyContext, query: UserListQuery) {
  const { scope } = context;
  const filter = { seat: query.seat_filter, role: query.role_filter };
  const { rows, next_cursor } = await pageOf(
    context,
    query,
    (after: string | undefined, limit) => findUsers(deps.database.sql, scope, filter, after, limit),
    ({ user_id }) => user_id,
  );
  return {
    ...(await seatTotals(deps, context, poolOf(onlyOrganization(scope).organization))),
    users: rows.map((row) => ({
      user_id: row.user_id,
      username: row.username,
      email: row.email,
      ...describeRoleOf(row),
      seat_assigned: row.seat,
    })),
    next_cursor,
  };
}

function describePerson({ id, email, is_workspace_admin }: PersonRow, accounts: readonly AccountRow[]) {
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
  context: KeyContext,
  { workspace }: WorkspacePrincipal,
  query: UserListQuery,
) {
  const { sql } = deps.database;
  const { scope } = context;
  const filter = { seat: query.seat_filter, role: query.role_filter };
  const { rows, next_cursor } = await pageOf(
    context,
    query,
    (after: PersonId | undefined, limit) => findPeople(sql, scope, workspace.id, filter, after, limit),
    ({ id }) => id,
  );
  const accounts = await findAccounts(
    sql,
    scope,
    rows.map(({ id }) => id),
  );
  const byPerson = Map.groupBy(accounts, ({ person_id }) => person_id);
  return {
    ...(await seatTotals(deps, context, { workspaceId: workspace.id })),
    users: rows.map((person) => describePerson(person, byPerson.get(person.id) ?? [])),
    next_cursor,
  };
}
